import { weighPages, whileRunning } from "./bench/app-bench";
import { startGrove } from "./bench/grove-process";
import { scriptBudgetBytes } from "./bench/page-scripts";
import { sizeReport } from "./bench/report";
import { withTemporaryFolder } from "./bench/temporary-folder";
import { runCommand } from "./run-command";
import { StartError } from "./start-error";

await runCommand(async () => {
  const pages = await withTemporaryFolder(async (dataDir) =>
    whileRunning(await startGrove({ dataDir }), ({ address }) => weighPages(address)),
  );
  console.info(sizeReport(pages));
  if (pages.some((page) => page.gzippedBytes > scriptBudgetBytes)) {
    throw new StartError("A page loads more JavaScript than the budget allows.");
  }
});
