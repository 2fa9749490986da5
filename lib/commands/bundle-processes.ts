import { join } from "node:path";
import { bundle, ownProcesses } from "./bundle";

// Beside the app's build. Next has a `package.json` there that makes `.js` no module.
for (const [place, names] of Object.entries(ownProcesses))
  await bundle(place, { names, outDir: join(".next/programs", place), extension: "mjs" });
