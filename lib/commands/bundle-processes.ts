import { join } from "node:path";
import { bundle, ownProcesses } from "./bundle";

// Next puts a `package.json` beside the app's build that makes `.js` no module.
for (const [place, names] of Object.entries(ownProcesses))
  await bundle(place, { names, outDir: join(".next/programs", place), extension: "mjs" });
