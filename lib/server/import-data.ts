import { overridesSchema, storedOverrides } from "@/lib/chat/settings/providers";
import type { ImportReportWire } from "@/lib/chat/wire/data";
import type { ImportError, PortableOf } from "@/lib/postgres";
import { HttpError } from "./http-error";
import type { OwnerServices } from "./owner-services";
import { uploadLines } from "./upload-lines";

const importing = new Set<string>();

/**
 * Imports an uploaded export, one at a time. @throws {HttpError} 400 for other files, 409 while another import runs.
 */
export async function importData(
  owner: OwnerServices,
  body: ReadableStream<Uint8Array> | null,
): Promise<ImportReportWire> {
  const { ownerId } = owner;
  if (importing.has(ownerId)) {
    throw new HttpError(409, "import-running", "Another file is being imported. Wait for its end.");
  }
  importing.add(ownerId);
  try {
    return await owner.data.import(uploadLines(body), {
      onSettings: (record) => takeSettings(owner, record),
    });
  } catch (error) {
    if (!(error instanceof Error) || error.name !== "ImportError") throw error;
    throw refusal(error as ImportError);
  } finally {
    importing.delete(ownerId);
  }
}

function refusal(cause: ImportError): HttpError {
  const error = new HttpError(400, "invalid-import", cause.message, cause.field);
  error.cause = cause;
  return error;
}

/** Existing settings win over imported ones. */
async function takeSettings(
  owner: OwnerServices,
  { defaultModel, modelOverrides }: PortableOf<"settings">,
): Promise<void> {
  const { defaultModel: present } = await owner.settings.read();
  const known = await storedOverrides(owner);
  const refs = new Set(known.map(({ ref }) => ref));
  const fresh = overridesSchema.parse(modelOverrides).filter(({ ref }) => !refs.has(ref));
  await owner.settings.change({
    ...(typeof present !== "string" && defaultModel !== null && { defaultModel }),
    ...(fresh.length > 0 && { modelOverrides: [...known, ...fresh].slice(0, 500) }),
  });
}
