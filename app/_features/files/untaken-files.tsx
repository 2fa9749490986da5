"use client";

import { ChevronDown, EyeOff } from "lucide-react";
import { toastError } from "@/app/_api/toast-error";
import { useContextOf } from "@/app/_data/context/use-context-of";
import { storedFiles } from "@/app/_data/files/attachments";
import { modelName, useModels } from "@/app/_data/models/use-models";
import { useChangeSettings } from "@/app/_data/settings/use-settings";
import { useAttachments } from "@/app/_message/files/attachment-list";
import { Button } from "@/app/_ui/button";
import { Menu, MenuItem } from "@/app/_ui/menu";
import { type AttachedFile, fileKind, filesPushedOut, withholding } from "@/lib/chat/wire/files";
import type { ModelWire } from "@/lib/chat/wire/settings";

export interface UntakenFilesProps {
  readonly draftKey: string;
  readonly sessionId: string | null;
  readonly leafId: string | null | undefined;
  readonly model: string | null;
  readonly onModel: (ref: string) => void;
}

export function UntakenFiles(props: UntakenFilesProps) {
  const { draftKey, sessionId, leafId, model, onModel } = props;
  const context = useContextOf(sessionId, leafId);
  const files = storedFiles(useAttachments(draftKey));
  const { data } = useModels();
  const chosen = data?.models.find(({ ref }) => ref === (model ?? data.defaultModel));
  if (!data || !chosen) return null;
  const untaken = untakenBy(chosen, files);
  const pushedOut = filesPushedOut(chosen.takes, {
    draft: files,
    earlier: (sessionId === null ? null : context.data?.files) ?? [],
  });
  const isAsked = chosen.takes.images === null && files.some(isImage);
  if (isAsked) return <AskForImages model={chosen} name={modelName(chosen, data.models)} />;
  if (untaken.length === 0) return <PushedOut files={pushedOut} />;
  const others = data.models.filter((each) => untakenBy(each, files).length < untaken.length);
  return (
    <section
      aria-label="Files this model does not take"
      className="mb-2 flex flex-wrap items-center gap-2.5 rounded-lg bg-warn-soft p-3.5 text-sm text-warn"
    >
      <p role="status" className="flex min-w-0 flex-1 basis-64 gap-2.5">
        <EyeOff aria-hidden className="mt-0.5 size-4 shrink-0" />
        <span className="wrap-anywhere">
          {untakenWords(untaken, modelName(chosen, data.models))} {pushedOutWords(pushedOut)}
        </span>
      </p>
      {others.length > 0 && (
        <Menu
          align="end"
          side="top"
          trigger={
            <Button size="sm">
              Use another model
              <ChevronDown aria-hidden />
            </Button>
          }
        >
          {others.map((other) => (
            <MenuItem key={other.ref} onSelect={() => onModel(other.ref)}>
              {modelName(other, data.models)}
            </MenuItem>
          ))}
        </Menu>
      )}
    </section>
  );
}

function isImage(file: AttachedFile): boolean {
  return fileKind(file) === "image" && file.problem === undefined;
}

/** Sending without an answer sends the images, too. */
function AskForImages({ model, name }: { model: ModelWire; name: string }) {
  const change = useChangeSettings();
  const decide = (takes: boolean) =>
    change.mutate(
      { modelFeatures: [{ ref: model.ref, feature: "images", takes }] },
      { onError: toastError },
    );
  return (
    <section
      aria-label="Images of this message"
      className="mb-2 flex flex-wrap items-center gap-2.5 rounded-lg bg-warn-soft p-3.5 text-sm text-warn"
    >
      <p role="status" className="wrap-anywhere min-w-0 flex-1 basis-64">
        Grove does not know whether {name} reads images.
      </p>
      <span className="flex gap-2.5">
        <Button size="sm" disabled={change.isPending} onClick={() => decide(true)}>
          Send
        </Button>
        <Button size="sm" disabled={change.isPending} onClick={() => decide(false)}>
          Leave out
        </Button>
      </span>
    </section>
  );
}

function PushedOut({ files }: { files: readonly AttachedFile[] }) {
  if (files.length === 0) return null;
  return (
    <p role="status" className="mb-2 flex gap-2.5 rounded-lg bg-warn-soft p-3.5 text-sm text-warn">
      <EyeOff aria-hidden className="mt-0.5 size-4 shrink-0" />
      <span className="wrap-anywhere">{pushedOutWords(files)}</span>
    </p>
  );
}

const namedFiles = 5;

function pushedOutWords(files: readonly AttachedFile[]): string {
  if (files.length === 0) return "";
  const names = files.slice(0, namedFiles).map(({ name }) => `“${name}”`);
  const more = files.length - names.length;
  const all = more > 0 ? `${names.join(", ")} and ${more} more` : names.join(", ");
  return `With these files, the model no longer gets ${all} of earlier messages, only the ${files.length === 1 ? "name" : "names"}: a request takes 24 MB.`;
}

interface UntakenFile extends AttachedFile {
  readonly reason: string;
}

/** Keeps the draft's order; the last files fill the request first. */
function untakenBy(
  { takes }: Pick<ModelWire, "takes">,
  files: readonly AttachedFile[],
): UntakenFile[] {
  const reasonOf = withholding(takes);
  const untaken = files.toReversed().flatMap((file): UntakenFile[] => {
    const reason = reasonOf(file);
    return reason === null ? [] : [{ ...file, reason }];
  });
  return untaken.toReversed();
}

function untakenWords(files: readonly UntakenFile[], model: string): string {
  const [file] = files;
  const isOne = files.length === 1;
  const names = files.map(({ name }) => `“${name}”`).join(", ");
  if (files.some(({ reason }) => reason.endsWith("of a request"))) {
    const reasons = files.map(({ name, reason }) => `“${name}”: ${reason}.`).join(" ");
    return `${model} gets only ${isOne ? "the name" : "the names"} of ${names}. ${reasons}`;
  }
  if (file && isOne && file.problem) return `${model} gets nothing of ${names}. ${file.problem}`;
  if (file && isOne && fileKind(file) === "image")
    return `${model} takes no images. It gets the name of ${names} and its description, nothing else.`;
  if (file && isOne && fileKind(file) === "pdf")
    return `${names} has no text, and ${model} takes no PDFs. It gets the name, nothing else.`;
  return `${model} cannot read ${names}. It gets ${isOne ? "the name" : "their names"}, nothing else.`;
}
