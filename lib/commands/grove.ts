#!/usr/bin/env node
const commands: Readonly<Record<string, () => Promise<unknown>>> = {
  start: () => import("./start"),
  backup: () => import("./back-up"),
  restore: () => import("./restore"),
  migrate: () => import("./migrate-database"),
};

const [name = "start"] = process.argv.splice(2, 1);
const command = commands[name];
if (command) await command();
else {
  console.error(`grove takes one of ${Object.keys(commands).join(", ")}, not “${name}”.`);
  process.exit(1);
}
