import { readFile } from "node:fs/promises";
import { UnreadableError } from "./content-page";
import { documentPages } from "./read-document";
import type { ReaderOutcome } from "./run-reader";

// Reads one hostile document and prints its outcome as JSON.
const [file = "", mediaType = ""] = process.argv.slice(2);

async function outcome(): Promise<ReaderOutcome> {
  try {
    return { pages: await documentPages(new Uint8Array(await readFile(file)), mediaType) };
  } catch (error) {
    if (error instanceof UnreadableError) return { problem: error.message };
    throw error;
  }
}

process.stdout.write(JSON.stringify(await outcome()));
