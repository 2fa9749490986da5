import { runCommand } from "@/lib/commands/run-command";
import { StartError } from "@/lib/commands/start-error";
import { weighPages, whileRunning } from "./app-bench";
import { startGrove } from "./grove-process";
import { scriptBudgetBytes } from "./page-scripts";
import { sizeReport } from "./report";
import { withTemporaryFolder } from "./temporary-folder";

await runCommand(async () => {
  const pages = await withTemporaryFolder(async (dataDir) =>
    whileRunning(await startGrove({ dataDir }), ({ address }) => weighPages(address)),
  );
  console.info(sizeReport(pages));
  if (pages.some((page) => page.gzippedBytes > scriptBudgetBytes)) {
    throw new StartError("A page loads more JavaScript than the budget allows.");
  }
});
