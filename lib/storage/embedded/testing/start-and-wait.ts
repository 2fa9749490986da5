import { startEmbeddedPostgres } from "@/lib/storage/embedded/start-embedded-postgres";

// A separate process for tests that kill one: starts on the given folder, prints the address, and
// stays.
const [dataDir = ""] = process.argv.slice(2);
const { url } = await startEmbeddedPostgres({ dataDir });
process.stdout.write(`${url}\n`);
