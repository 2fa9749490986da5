import { buildLibrary } from "./build-library";

const { path, bytes, entries } = await buildLibrary();
console.info(`${path}: ${Math.round(bytes / 1_000)} kB; entries ${entries.join(", ")}`);
