import { ApiError, errorSentence } from "@/app/_api/api-error";
import { upload } from "@/app/_api/upload";
import { storedInSpace } from "@/app/_ui/page-space";
import { createStore, createStores } from "@/app/_ui/store";
import { type AttachedFile, type FileWire, maxFileName } from "@/lib/chat/wire/files";
import { fileSize } from "./file-words";

export interface Attachment {
  readonly id: string;
  readonly name: string;
  readonly size: number;
  readonly mediaType: string;
  readonly alt?: string;
  readonly text?: string;
  readonly state: AttachmentState;
}

type AttachmentState =
  | { readonly kind: "uploading"; readonly share: number }
  | { readonly kind: "stored"; readonly file: FileWire }
  | { readonly kind: "failed"; readonly reason: string; readonly canRetry: boolean };

export type Attachments = readonly Attachment[];

const interrupted = "The upload was interrupted. Attach the file again.";

export const attachmentsOf = createStores((draftKey) =>
  createStore<Attachments>([], {
    name: storedInSpace(`files:${draftKey}`),
    isShared: false,
    parse: (stored) => (Array.isArray(stored) ? (stored as Attachments).map(afterReload) : null),
    serialize: (attachments) => (attachments.length === 0 ? null : attachments),
    delayMs: 250,
  }),
);

function afterReload(attachment: Attachment): Attachment {
  if (attachment.state.kind === "stored") return attachment;
  const canRetry = attachment.text !== undefined;
  return { ...attachment, state: { kind: "failed", reason: interrupted, canRetry } };
}

const local = new Map<string, File>();
const underWay = new Map<string, AbortController>();

export function localFile(id: string): File | null {
  return local.get(id) ?? null;
}

const uploadsAtOnce = 3;
let running = 0;
const waiting: (() => void)[] = [];

export function attach(draftKey: string, files: readonly File[]): void {
  for (const file of files) {
    const { name, size, type: mediaType } = file;
    const id = crypto.randomUUID();
    const attachment = { id, name: name || "File", size, mediaType, state: atStart };
    const reason = refusalOf(file);
    add(draftKey, reason === null ? attachment : { ...attachment, state: refused(reason) });
    if (reason !== null) continue;
    local.set(id, file);
    void store(draftKey, id, file);
  }
}

const atStart = { kind: "uploading", share: 0 } as const;

function refused(reason: string): AttachmentState {
  return { kind: "failed", reason, canRetry: false };
}

/** A file of gigabytes would be refused only after minutes of uploading. */
export function refusalOf({ name, size }: File): string | null {
  const most = Number(document.documentElement.dataset.maxFileBytes ?? Number.NaN);
  if (size > most) return `Files are limited to ${fileSize(most)}. This one is ${fileSize(size)}.`;
  if (size === 0) return "This file is empty, or it is a folder.";
  if (name.length > maxFileName)
    return `The name is longer than ${maxFileName} characters. Rename the file, then attach it again.`;
  return null;
}

export function attachText(draftKey: string, text: string, name = "Pasted text.txt"): void {
  const file = new File([text], name, { type: "text/plain" });
  const id = crypto.randomUUID();
  const about = { id, name, size: file.size, mediaType: file.type };
  add(draftKey, { ...about, text, state: atStart });
  void store(draftKey, id, file);
}

export function attachStored(draftKey: string, files: readonly AttachedFile[]): void {
  for (const { name, alt, ...file } of files) {
    const { size, mediaType } = file;
    const about = { id: crypto.randomUUID(), name, size, mediaType, ...(alt && { alt }) };
    add(draftKey, { ...about, state: { kind: "stored", file } });
  }
}

export function retryUpload(draftKey: string, id: string): void {
  const attachment = attachmentsOf(draftKey)
    .read()
    .find((each) => each.id === id);
  const { text, name = "", mediaType: type } = attachment ?? {};
  const file =
    local.get(id) ?? (text !== undefined && new File([text], name, { type: type ?? "" }));
  if (!file) return;
  change(draftKey, id, { state: atStart });
  void store(draftKey, id, file);
}

export function detach(draftKey: string, id: string): void {
  underWay.get(id)?.abort();
  local.delete(id);
  attachmentsOf(draftKey).update((present) => present.filter((each) => each.id !== id));
}

export function noteFacts(draftKey: string, id: string, file: FileWire): void {
  change(draftKey, id, { state: { kind: "stored", file } });
}

export function describe(draftKey: string, id: string, alt: string): void {
  change(draftKey, id, { alt });
}

export function takeAttached(draftKey: string): AttachedFile[] {
  const files = storedFiles(attachmentsOf(draftKey).read());
  attachmentsOf(draftKey).update((present) =>
    present.filter(({ state }) => state.kind !== "stored"),
  );
  return files;
}

export function storedFiles(attachments: Attachments): AttachedFile[] {
  return attachments.flatMap(({ name, alt, state }) =>
    state.kind === "stored" ? [{ ...state.file, name, ...(alt && { alt }) }] : [],
  );
}

export function forgetAttachments(draftKey: string): void {
  for (const { id } of attachmentsOf(draftKey).read()) detach(draftKey, id);
}

export function moveAttachments(from: string, to: string): void {
  const moved = attachmentsOf(from).read();
  if (moved.length === 0) return;
  attachmentsOf(from).update(() => []);
  attachmentsOf(to).update((present) => [...present, ...moved]);
}

function add(draftKey: string, attachment: Attachment): void {
  attachmentsOf(draftKey).update((present) => [...present, attachment]);
}

function change(draftKey: string, id: string, changes: Partial<Attachment>): void {
  attachmentsOf(draftKey).update((present) =>
    present.map((each) => (each.id === id ? { ...each, ...changes } : each)),
  );
}

async function store(draftKey: string, id: string, file: File): Promise<void> {
  const controller = new AbortController();
  underWay.set(id, controller);
  await turn();
  try {
    controller.signal.throwIfAborted();
    const onProgress = (share: number) =>
      change(draftKey, id, { state: { kind: "uploading", share } });
    const stored = await upload("POST /api/files", file, {
      contentType: "application/octet-stream",
      name: file.name,
      onProgress,
      signal: controller.signal,
    });
    attachmentsOf(draftKey).update((present) => withStored(present, id, stored));
  } catch (error) {
    if (controller.signal.aborted) return;
    const canRetry = !(error instanceof ApiError) || error.status === 0 || error.status >= 500;
    change(draftKey, id, { state: { kind: "failed", reason: errorSentence(error), canRetry } });
  } finally {
    underWay.delete(id);
    running -= 1;
    waiting.shift()?.();
  }
}

export function withStored(present: Attachments, id: string, file: FileWire): Attachments {
  const isTwice = present.some(
    ({ state }) => state.kind === "stored" && state.file.sha256 === file.sha256,
  );
  return present.map((each): Attachment => {
    if (each.id !== id) return each;
    if (isTwice) return { ...each, state: refused("This file is attached already.") };
    const { text: _, ...stored } = each;
    const { size, mediaType } = file;
    return { ...stored, size, mediaType, state: { kind: "stored", file } };
  });
}

async function turn(): Promise<void> {
  if (running >= uploadsAtOnce) await new Promise<void>((next) => waiting.push(next));
  running += 1;
}
