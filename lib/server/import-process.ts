import { createReadStream } from "node:fs";
import { SessionEvents } from "grove-session";
import { connect } from "grove-session/postgres";
import { ChatError } from "@/lib/chat/core/chat-error";
import { asPerson, asSpace } from "@/lib/chat/core/person-in-space";
import { importEverything } from "@/lib/chat/data/portable-data";
import { importChoices } from "@/lib/chat/wire/data";
import { clearingRefusal } from "./clearing-refusal";
import { readFileBucket } from "./file-bucket";
import { HttpError } from "./http-error";
import type { UploadOutcome } from "./import-upload";
import { ownerServices } from "./owner-services";
import { uploadLines } from "./upload-lines";

const { DATABASE_URL: url = "", GROVE_IMPORT_OWNER: ownerId = "" } = process.env;
const { GROVE_IMPORT_PERSON: personId = ownerId } = process.env;
const hasChoices = process.env.GROVE_IMPORT_CHOICES === "first";
const [file = ""] = process.argv.slice(2);
const who = { personId: asPerson(personId), spaceId: asSpace(ownerId) };
const sql = connect(url, { max: 2, connect_timeout: 5, onnotice: () => undefined });
const events = new SessionEvents(ownerId);
const fileSettings = { place: readFileBucket(process.env) ?? undefined };
const owner = ownerServices({ sql, chunkSql: sql, ...who, events, fileSettings });

async function choicesIn(lines: AsyncGenerator<string>): Promise<ReadonlySet<string>> {
  const { value } = await lines.next();
  return new Set(importChoices.parse(JSON.parse(String(value))).accepted);
}

async function outcome(): Promise<UploadOutcome> {
  try {
    const lines = uploadLines(createReadStream(file));
    const accepted = hasChoices ? await choicesIn(lines) : new Set<string>();
    return { report: await importEverything(owner, lines, (id) => accepted.has(id)) };
  } catch (error) {
    if (error instanceof HttpError) {
      const { status, code, message, field } = error;
      return { refusal: { status, code, message, field } };
    }
    if (error instanceof ChatError && error.code === "invalid-import") {
      const { code, message, field } = error;
      return { refusal: { status: null, code, message, field } };
    }
    const overtaken = clearingRefusal(error);
    if (overtaken) return { refusal: overtaken };
    throw error;
  }
}

try {
  process.stdout.write(`${JSON.stringify(await outcome())}\n`);
} finally {
  await sql.end({ timeout: 1 });
}
