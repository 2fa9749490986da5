import { loadavg } from "node:os";
import { parseArgs } from "node:util";
import { runCommand } from "@/lib/commands/run-command";
import { StartError } from "@/lib/commands/start-settings";
import { drills } from "./all-drills";
import { runDrill } from "./drill";

// `npm run drill` runs all at full counts; names choose parts; `--count` and `--seed` replace the defaults; `--minutes`
// ends each part that is not done by then.
await runCommand(async (signal) => {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { count: { type: "string" }, seed: { type: "string" }, minutes: { type: "string" } },
  });
  const unknown = positionals.filter((name) => !drills.some((drill) => drill.name === name));
  if (unknown.length > 0) {
    const names = drills.map(({ name }) => name).join(", ");
    throw new StartError(`No drill is called ${unknown.join(", ")}. There are: ${names}.`);
  }
  const chosen = drills.filter(
    ({ name }) => positionals.length === 0 || positionals.includes(name),
  );
  const seed = wholeNumber("--seed", values.seed) ?? Math.floor(Math.random() * 2 ** 31);
  const minutes = wholeNumber("--minutes", values.minutes) ?? null;
  let failures = 0;
  for (const drill of chosen) {
    if (signal.aborted) break;
    const count = wholeNumber("--count", values.count) ?? drill.fullCount;
    const say = (line: string) => console.error(`${drill.name}: ${line}`);
    const ended = await runDrill(drill, { count, seed, signal, say, minutes });
    failures += ended.failures;
    console.info(ended.report);
  }
  console.info(`Load ${(loadavg()[0] ?? 0).toFixed(1)}.`);
  if (failures > 0) throw new StartError(`${failures} guarantees did not hold or were not tested.`);
});

function wholeNumber(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d{1,10}$/.test(text))
    throw new StartError(`${name} takes a whole number, not "${text}".`);
  return Number(text);
}
