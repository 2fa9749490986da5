import {
  learnWords,
  removeExpiredSessions,
  removeOldDeletions,
  removeUnusedFiles,
  unknownObjects,
} from "@/lib/postgres/internal";
import "server-only";
import { join } from "node:path";
import { MigrationError } from "grove-session/postgres";
import { isDatabaseAway } from "@/lib/chat/core/database-away";
import { temporaryEnd } from "@/lib/chat/core/person-in-space";
import { removeOldRequests } from "@/lib/storage/postgres-requests";
import { sweepHolds } from "@/lib/storage/runs/charged-runs";
import { removeOldChunks } from "@/lib/storage/runs/run-chunks";
import { removeOldParts } from "@/lib/storage/spaces/personal-parts";
import { deleteRemoved, deleteWithoutAccount, finishClearings } from "./ended-accounts";
import { closeFrontDoor } from "./front-door";
import { removeLeftUploads } from "./import-upload";
import { logEvent, logFailure } from "./log";
import { deleteOutdatedChats } from "./outdated-chats";
import { deleteOldProjects, stopInDeletedProjects } from "./projects";
import { recoverRuns } from "./recover-runs";
import { type Services, services } from "./services";
import { shutDownOnSignals } from "./shut-down";
import { staticFiles } from "./static-files";
import { trustCertificates } from "./trusted-certificates";

const sweepMs = 3_000;
const backupCheckMs = 60_000;
const chunksKeptMs = 60 * 60 * 1_000;
const removalMs = 10 * 60 * 1_000;
const removedAtOnce = 200;
const filesKeptMs = 7 * 24 * 60 * 60 * 1_000;
const requestsKept = { requests: 10_000, answerBytes: 50_000_000 };
/** About 100 ms of database work. */
const learnedPerSweep = 5_000;

export async function startServices(): Promise<void> {
  // The SDK would log every unknown model.
  globalThis.AI_SDK_LOG_WARNINGS = false;
  trustCertificates(process.env, (error) => logFailure("Reading trusted certificates", error));
  const shared = services();
  const { trustedProxies } = shared.installation;
  const isDevelopment = process.env.NODE_ENV === "development";
  closeFrontDoor({
    allowsUpgrades: isDevelopment,
    trustedProxies,
    ...(!isDevelopment && { sendStatic: staticFiles(join(process.cwd(), ".next", "static")) }),
  });
  shutDownOnSignals(shared);
  await trace(shared);
  try {
    await shared.ready();
  } catch (error) {
    if (error instanceof MigrationError) return refuseToStart(error);
    logFailure("Preparing the database", error);
  }
  await readHouse(shared);
  await inviteFirst(shared);
  setInterval(() => void sweep(shared), sweepMs).unref();
  void sweep(shared);
  setInterval(() => void removeOld(shared), removalMs).unref();
  void removeOld(shared);
  setInterval(() => void backUp(shared), backupCheckMs).unref();
  void backUp(shared);
}

async function readHouse({ house }: Services): Promise<void> {
  try {
    await house.environment();
  } catch (error) {
    logFailure("Reading settings for everyone", error);
  }
}

/** Logged, because the launcher drops stdout before readiness. */
async function inviteFirst({ accounts }: Services): Promise<void> {
  try {
    const link = await accounts?.firstInvite();
    if (link) logEvent(`Grove has no account yet. Make the first one: ${link}`);
  } catch (error) {
    logFailure("Making the link to the first account", error);
  }
}

async function trace({ installation, closing }: Services): Promise<void> {
  if (!process.env.OTEL_EXPORTER_OTLP_ENDPOINT?.trim()) return;
  const { startTracing } = await import("./tracing");
  const stop = startTracing(installation);
  closing.signal.addEventListener("abort", () => {
    stop().catch((error: unknown) => logFailure("Sending the last traces", error));
  });
}

async function backUp({ ready, backups }: Services): Promise<void> {
  try {
    await ready();
    await backups.takeDue();
  } catch (error) {
    logFailure("Backing up", error);
  }
}

async function removeOld(shared: Services): Promise<void> {
  const { sql, deletedKeptMs, closing, ready, installation, fileBucket } = shared;
  const removal = { most: removedAtOnce, signal: closing.signal };
  const unused = { unusedMs: filesKeptMs, most: removedAtOnce };
  await runSteps([
    ["Preparing the database", ready],
    [
      "Removing what was deleted long ago",
      () => removeOldDeletions(sql, { ...removal, olderThanMs: deletedKeptMs }),
    ],
    [
      "Removing temporary chats",
      () => removeExpiredSessions(sql, { ...removal, ownerEnd: temporaryEnd }),
    ],
    [
      "Forgetting answered requests",
      () => removeOldRequests(sql, { most: 5_000, keptOfOwner: requestsKept }),
    ],
    ["Deleting removed accounts", () => deleteRemoved(shared)],
    ["Finishing deletions of accounts", () => finishClearings(shared, "account")],
    ["Deleting projects for good", () => deleteOldProjects(shared)],
    ["Deleting what has no account", () => deleteWithoutAccount(shared)],
    ["Removing accounts nobody can sign in to", async () => shared.accounts?.store.removeHalves()],
    ["Deleting chats that keys keep no longer", () => deleteOutdatedChats(shared)],
    ["Removing old tokens of apps", async () => shared.accounts?.apps.removeOld()],
    ["Removing old personal prompts", () => removeOldParts(sql, { most: 5_000 })],
    ["Removing left uploads", () => removeLeftUploads(installation.dataDir)],
    [
      "Removing unused files",
      async () => {
        while ((await removeUnusedFiles(sql, unused)) === removedAtOnce && !closing.signal.aborted);
      },
    ],
    [
      "Removing files from the bucket",
      async () => fileBucket?.removeUnknown((names) => unknownObjects(sql, names)),
    ],
  ]);
}

async function sweep(shared: Services): Promise<void> {
  const { accounts, sql } = shared;
  await runSteps([
    ["Preparing the database", shared.ready],
    [
      "Ending what signed-out devices read",
      () => shared.devices.endThoseGone(async (ids) => accounts?.store.liveSessions(ids) ?? ids),
    ],
    [
      "Ending what former members read",
      () => shared.members.endThoseGone((keys) => shared.projects.memberships(keys)),
    ],
    ["Ending interrupted answers", () => recoverRuns(shared)],
    ["Stopping answers of deleted projects", () => stopInDeletedProjects(shared)],
    ["Letting go what stopped answers held", () => sweepHolds(sql, { most: 100 })],
    ["Removing old chunks", () => removeOldChunks(sql, { olderThanMs: chunksKeptMs })],
    ["Finishing deletions of everything", () => finishClearings(shared, "data")],
    ...[...shared.spaceIds()].map(
      (ownerId): ServerStep => [
        "Learning words",
        () => learnWords(sql, { ownerId, most: learnedPerSweep }),
      ],
    ),
  ]);
}

function refuseToStart(error: MigrationError): never {
  logEvent(error.message);
  process.exit(1);
}

type ServerStep = readonly [what: string, act: () => Promise<unknown>];

async function runSteps(steps: readonly ServerStep[]): Promise<void> {
  for (const [what, act] of steps) {
    try {
      await act();
    } catch (error) {
      logFailure(what, error);
      if (isDatabaseAway(error)) return;
    }
  }
}
