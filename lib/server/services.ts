import "server-only";
import type { Sql } from "postgres";
import { Runner } from "@/lib/chat/answering/runner";
import { exampleModel } from "@/lib/chat/data/example/conversation";
import { makeExample } from "@/lib/chat/data/example/make-example";
import type { OwnerData } from "@/lib/chat/owner-data";
import { nameSession } from "@/lib/chat/sessions/name-session";
import { runWire, summaryRunWire } from "@/lib/chat/sessions/transcript";
import { Models } from "@/lib/chat/settings/models";
import type { EventWire } from "@/lib/chat/wire/events";
import { demoSource } from "@/lib/demo/demo-model";
import { connect, migrate, Notifications, SessionFeed } from "@/lib/postgres";
import type { SessionEvent } from "@/lib/session";
import packageJson from "@/package.json" with { type: "json" };
import { readEnvironment } from "./environment";
import { logFailure } from "./log";
import { ownerOf } from "./owner-of";
import { type OwnerServices, ownerServices } from "./owner-services";
import { RequestOrigin } from "./request-origin";
import { SecretBox } from "./secret-box";
import { readSourceBlocks } from "./source-blocks";
import { type OwnedEvent, TabEvents } from "./tab-events";

/** Shared by the whole process: connections, running answers, models, events. */
export interface Services {
  readonly sql: Sql;
  /** Commits without waiting for the disk; only for chunks of running answers. */
  readonly chunkSql: Sql;
  readonly runner: Runner;
  readonly tabs: TabEvents;
  readonly requestOrigin: RequestOrigin;
  readonly models: Models;
  readonly secrets: SecretBox;
  /** Facts about this installation for the settings page. */
  readonly installation: {
    readonly environment: NodeJS.ProcessEnv;
    readonly version: string;
    readonly dataLocation: string;
  };
  /** Aborted on shutdown, so that open streams do not delay it. */
  readonly closing: AbortController;
  /** Brings the database up to date. Tried again after a failure. */
  ready(): Promise<void>;
  /** Returns the owner of a request, once the database is up to date and that owner has the example session. */
  ownerOf(headers: Pick<Headers, "get">): Promise<OwnerServices>;
  /** What one owner has. */
  owner(ownerId: string): OwnerServices;
  /** The owners this process has worked for. */
  ownerIds(): Iterable<string>;
}

const statementTimeoutMs = 10_000;
const runTopic = "runs";
/**
 * Seconds between connection attempts: short enough to notice a returning database, long enough not to flood one that
 * is down.
 */
const backoff = (attempt: number) => Math.min(0.5, 0.05 * 2 ** attempt);

// A development server reloads modules on every change; the connections must survive.
const shared = globalThis as typeof globalThis & { groveServices?: Services };

/** The services of this process, created on first use. */
export function services(): Services {
  shared.groveServices ??= makeServices();
  return shared.groveServices;
}

function makeServices(): Services {
  const { databaseUrl, secretsKeyFile, dataLocation, hasTestOwners } = readEnvironment(process.env);
  const sql = connect(databaseUrl, {
    max: 4,
    connect_timeout: 5,
    backoff,
    idle_timeout: 300,
    onnotice: () => undefined,
    connection: {
      application_name: "grove",
      statement_timeout: statementTimeoutMs,
      lock_timeout: 5_000,
    },
  });
  const chunkSql = connect(databaseUrl, {
    max: 2,
    connect_timeout: 5,
    backoff,
    onnotice: () => undefined,
    connection: {
      application_name: "grove-chunks",
      statement_timeout: statementTimeoutMs,
      synchronous_commit: "off",
    },
  });
  const tabs = new TabEvents();
  const requestOrigin = new RequestOrigin();
  const secrets = new SecretBox(secretsKeyFile);
  const closing = new AbortController();
  const sourceBlocks = readSourceBlocks(process.env);
  const owners = new Map<string, OwnerServices>();
  const models = new Models({
    environment: process.env,
    sealer: secrets,
    fallback: demoSource(process.env),
  });
  const notifications = new Notifications(sql, {
    onError: (error) => logFailure("Notifying the other processes", error),
  });
  const feed = new SessionFeed(notifications, {
    origin: () => requestOrigin.tab,
    onEvent: (event) => {
      if (changesModels(event)) models.forget(event.ownerId);
      tabs.receive(event);
    },
    onListenerError: (error) => logFailure("Listening to a session", error),
  });
  // Runs carry what tabs show of them, which no table of the store can know.
  notifications.on(runTopic, (body) => tabs.publish(body as OwnedEvent));
  const publish = ({ ownerId }: OwnerData, event: EventWire) => {
    tabs.publish({ ownerId, event });
    notifications.send(runTopic, { ownerId, event } satisfies OwnedEvent);
  };
  const runner = new Runner({
    started: (owner, run) =>
      publish(owner, { type: "run-started", sessionId: run.sessionId, run: runWire(run) }),
    finished: async (owner, run, status) => {
      const { id: runId, sessionId, messageId } = run;
      publish(owner, { type: "run-finished", sessionId, runId, messageId, status });
      await nameSession({ owner: made.owner(owner.ownerId), models, run }).catch((error: unknown) =>
        logFailure("Naming a session", error),
      );
    },
    summaryStarted: (owner, run) =>
      publish(owner, {
        type: "summary-started",
        sessionId: run.sessionId,
        summary: summaryRunWire(run),
      }),
    summaryFinished: (owner, run) =>
      publish(owner, {
        type: "summary-finished",
        sessionId: run.sessionId,
        summary: summaryRunWire(run),
      }),
    summaryDismissed: (owner, { sessionId }) =>
      publish(owner, { type: "session-changed", sessionId }),
    failed: (error) => logFailure("Writing an answer or a summary", error),
  });
  const owner = (ownerId: string) => {
    const known =
      owners.get(ownerId) ??
      ownerServices({ sql, chunkSql, ownerId, events: feed.of(ownerId), sourceBlocks });
    owners.set(ownerId, known);
    return known;
  };
  const firstUses = new Map<string, Promise<void>>();
  const firstUse = (used: OwnerServices) => {
    const known =
      firstUses.get(used.ownerId) ??
      makeFirstExample(used, models).catch((error: unknown) => {
        firstUses.delete(used.ownerId);
        logFailure("Making the example session", error);
      });
    firstUses.set(used.ownerId, known);
    return known;
  };
  let prepared: Promise<void> | null = null;
  const ready = () => {
    prepared ??= prepare({ databaseUrl, notifications }).catch((error: unknown) => {
      prepared = null;
      throw error;
    });
    return prepared;
  };
  const made: Services = {
    sql,
    chunkSql,
    runner,
    tabs,
    requestOrigin,
    closing,
    models,
    secrets,
    installation: { environment: process.env, version: packageJson.version, dataLocation },
    ready,
    async ownerOf(headers) {
      await ready();
      const used = owner(ownerOf(headers, { hasTestOwners }));
      await firstUse(used);
      return used;
    },
    owner,
    ownerIds: () => owners.keys(),
  };
  return made;
}

/** The first time a person uses Grove there is something to look at. */
async function makeFirstExample(owner: OwnerServices, models: Models): Promise<void> {
  const settings = await owner.settings.read();
  if (settings.exampleMade === true) return;
  const { info } = await models.choose(owner, exampleModel);
  await makeExample(owner, info);
  await owner.settings.change({ exampleMade: true });
}

/** Providers, keys and corrections of prices are settings; an import brings providers, a deletion takes them. */
function changesModels({ type }: SessionEvent): boolean {
  return type === "settings" || type === "data" || type === "missed";
}

async function prepare({
  databaseUrl,
  notifications,
}: {
  databaseUrl: string;
  notifications: Notifications;
}): Promise<void> {
  // Separate connections: a migration, or waiting for another process to migrate, may take long.
  const migrating = connect(databaseUrl, { max: 3, connect_timeout: 5, onnotice: () => undefined });
  await migrate(migrating).finally(() => migrating.end({ timeout: 1 }));
  await notifications.start();
}
