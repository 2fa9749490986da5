import { loadavg } from "node:os";
import { runCommand } from "@/lib/commands/run-command";
import { StartError } from "@/lib/commands/start-settings";
import { accountsBench } from "./accounts-bench";
import { answersBench } from "./answers-bench";
import {
  accountsReport,
  answersReport,
  filesPageReport,
  filesReport,
  knowledgeReport,
  programsReport,
  runsReport,
} from "./answers-report";
import { appBench, scriptBudgetBytes, sizeBench } from "./app-bench";
import { chatPageBench } from "./chat-page-bench";
import { filesBench } from "./files-bench";
import { filesPageBench } from "./files-page-bench";
import { knowledgeBench } from "./knowledge-bench";
import { pageBench } from "./page-bench";
import { readingBench } from "./reading-bench";
import {
  appReport,
  chatPageReport,
  machineLine,
  pageReport,
  readingReport,
  sizeReport,
  storageReport,
  wiresReport,
} from "./report";
import { programsBench, runsBench } from "./runs-bench";
import { storageBench } from "./storage-bench";
import { wiresBench } from "./wires-bench";

// `docs/performance.md` says what each part measures.
const { argv } = process;
const say = (line: string) => console.error(line);
const names = [
  ...["--storage", "--app", "--answers", "--runs", "--wires", "--programs", "--files"],
  ...["--files-page", "--accounts", "--page", "--chat", "--reading", "--size", "--knowledge"],
];
const parts = names.filter((part) => argv.includes(part));
const wanted = (part: string) => parts.length === 0 || parts.includes(part);

await runCommand(async (signal) => {
  const loadBefore = loadavg()[0] ?? 0;
  const sections: string[] = [];
  if (wanted("--storage")) {
    const sizes = [100, 1_000, 10_000, ...(argv.includes("--deep") ? [50_000] : [])];
    const searchTotals = argv.includes("--search") ? [300_000, 1_000_000] : [];
    const figures = await storageBench({ sizes, searchTotals, rounds: 150, signal, say });
    sections.push(storageReport(figures));
  }
  const app = wanted("--app") ? await appBench({ signal, say }) : null;
  if (app) sections.push(appReport(app));
  const measure = { rounds: 20, signal, say };
  if (wanted("--answers")) sections.push(answersReport(await answersBench(measure)));
  if (wanted("--runs")) sections.push(runsReport(await runsBench(measure)));
  if (wanted("--wires")) sections.push(wiresReport(await wiresBench({ signal })));
  if (wanted("--programs")) sections.push(programsReport(await programsBench(measure)));
  if (wanted("--files")) sections.push(filesReport(await filesBench({ signal, say })));
  if (wanted("--files-page")) {
    const isDeep = argv.includes("--deep");
    sections.push(filesPageReport(await filesPageBench({ isDeep, signal, say })));
  }
  if (wanted("--knowledge")) sections.push(knowledgeReport(await knowledgeBench({ signal, say })));
  if (wanted("--accounts")) sections.push(accountsReport(await accountsBench({ say })));
  const pages = app?.pages ?? (argv.includes("--size") ? await sizeBench() : []);
  if (!app && pages.length > 0) sections.push(sizeReport(pages));
  if (wanted("--page") || wanted("--chat")) {
    sections.push(chatPageReport(await chatPageBench({ rounds: 5, signal, say })));
  }
  if (wanted("--page")) {
    const sessions = argv.includes("--deep") ? 10 : 1;
    sections.push(pageReport(await pageBench({ sessions, signal, say })));
  }
  if (wanted("--reading")) {
    sections.push(readingReport(await readingBench({ signal, say })));
  }
  console.info([machineLine([loadBefore, loadavg()[0] ?? 0]), ...sections].join("\n\n"));
  if (pages.some((page) => page.gzippedBytes > scriptBudgetBytes)) {
    throw new StartError("A page loads more JavaScript than the budget allows.");
  }
});
