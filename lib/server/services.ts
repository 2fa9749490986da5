import "server-only";
import { join } from "node:path";
import type { SessionEvent } from "grove-session";
import { type Emit, emitting } from "grove-session/ports";
import { SessionFeed } from "grove-session/postgres";
import { Accounts } from "@/lib/accounts/accounts";
import { type BackupSettings, readBackupSettings } from "@/lib/backups/backup-settings";
import { Backups, type BackupsOptions } from "@/lib/backups/backups";
import type { Runner } from "@/lib/chat/answering/runner";
import {
  asSpace,
  inOwnSpace,
  isOwnSpace,
  type PersonId,
  type PersonInSpace,
  personInSpace,
  type SpaceId,
} from "@/lib/chat/core/person-in-space";
import { configuredServers } from "@/lib/chat/mcp-client/configured-servers";
import { ToolConnections } from "@/lib/chat/mcp-client/connections";
import { AnswerSpool } from "@/lib/chat/runs/answer-spool";
import { leaseMs } from "@/lib/chat/runs/lease";
import { Models } from "@/lib/chat/settings/models";
import { WebTools } from "@/lib/chat/web/web-tools";
import { mcpScopeSchema } from "@/lib/chat/wire/keys";
import { demoSource } from "@/lib/demo/demo-model";
import { everyoneId, policyOwnerId } from "@/lib/storage/accounts/person-policies";
import { BackupError } from "@/lib/storage/backup/backup-format";
import { fencedTo } from "@/lib/storage/owner-fence";
import { RunClaims } from "@/lib/storage/runs/run-claims";
import { PostgresSettings } from "@/lib/storage/settings/postgres-settings";
import { PostgresShares } from "@/lib/storage/shares/postgres-shares";
import { membershipsOf, PostgresProjects } from "@/lib/storage/spaces/postgres-projects";
import packageJson from "@/package.json" with { type: "json" };
import { makeRunner } from "./answer-runner";
import { type AppDatabase, openDatabase } from "./database";
import { readEnvironment, type ServerEnvironment } from "./environment";
import { type FileBucket, readFileBucket } from "./file-bucket";
import { HouseSettings } from "./house-settings";
import { logFailure } from "./log";
import { Metrics, type MetricsSources } from "./metrics";
import { type Identity, identityOf } from "./owner-of";
import { modelFetch, ownerFetch, ownerRights, type RightsOf } from "./owner-rights";
import {
  type FileSettings,
  type OwnerServices,
  ownerServices,
  settingsEvents,
} from "./owner-services";
import { makeFirstExamples, makeOwners, type Owners } from "./owners";
import { PersonLimits } from "./person-limits";
import { RateLimits } from "./rate-limits";
import { SecretBox } from "./secret-box";
import { type Environment, readSetting } from "./settings/read-settings";
import { readSourceBlocks } from "./source-blocks";
import { StreamWatch } from "./stream-watch";
import { RequestOrigin, TabEvents } from "./tab-events";

/** The feed tells only known owners of missed events. */
const houseOwnerId = policyOwnerId(everyoneId);

export interface Services extends Omit<AppDatabase, "notifications" | "source">, Owners {
  readonly runner: Runner;
  readonly claims: RunClaims;
  readonly tabs: TabEvents;
  readonly requestOrigin: RequestOrigin;
  readonly models: Models;
  readonly secrets: SecretBox;
  readonly accounts: Accounts | null;
  readonly limits: PersonLimits;
  readonly house: HouseSettings;
  readonly projects: PostgresProjects;
  /** A route's bundle has a copy of the driver's module, which knows no connections. */
  readonly sharesOf: (spaceId: SpaceId) => PostgresShares;
  readonly counts: RateLimits;
  readonly rightsOf: RightsOf;
  readonly devices: StreamWatch;
  readonly members: StreamWatch;
  readonly backups: Backups;
  readonly endTools: () => Promise<void>;
  readonly fileBucket: FileBucket | null;
  readonly deletedKeptMs: number;
  readonly metrics: Metrics | null;
  readonly installation: {
    readonly environment: NodeJS.ProcessEnv;
    readonly version: string;
    readonly databaseUrl: string;
    readonly dataDir: string;
    readonly dataLocation: string;
    readonly drainMs: number;
    readonly maxFileBytes: number;
    readonly trustedProxies: number;
  };
  /** Aborted on shutdown, so that open streams do not delay it. */
  readonly closing: AbortController;
  identify(headers: Pick<Headers, "get">): Promise<Identity | null>;
  ownerOf(who: PersonInSpace): Promise<OwnerServices>;
}

// Connections must survive the module reloads of development.
const shared = globalThis as typeof globalThis & { groveServices?: Services };

export function services(): Services {
  shared.groveServices ??= makeServices();
  return shared.groveServices;
}

function makeServices(): Services {
  const environment = readEnvironment(process.env);
  const { notifications, source, ...database } = openDatabase(environment);
  const { sql, chunkSql, readySoon, storedFigures } = database;
  const secrets = new SecretBox(environment.secretsKeyFile);
  const emit: Emit = (event) => feed.of(houseOwnerId).emit(event);
  const { toolServers, operatorNow, ...people } = makePeople(environment, { sql, secrets, emit });
  const models = makeModels(people, secrets);
  const tabs = new TabEvents();
  const requestOrigin = new RequestOrigin();
  const toolConnections = new ToolConnections();
  const feed = new SessionFeed(notifications, {
    origin: () => requestOrigin.tab,
    onEvent: (event) => {
      if (changesSettings(event)) {
        const { personId } = personInSpace(asSpace(event.ownerId));
        models.forget(personId);
        owners.forgetTools(personId);
        endMemberships(people, personId);
      }
      if (event.ownerId === houseOwnerId)
        people.house.reread().catch((error) => logFailure("Reading settings for everyone", error));
      endConnections(toolConnections, event);
      tabs.receive(event);
    },
    onListenerError: (error) => logFailure("Listening to a session", error),
  });
  feed.of(houseOwnerId);
  const fileBucket = readFileBucket(process.env);
  const owners = makeOwners(
    ownerMaker(people, {
      sql,
      chunkSql,
      feed,
      secrets,
      toolConnections,
      fileSettings: fileSettingsOf(environment.dataDir, { bucket: fileBucket, ...people }),
    }),
  );
  const firstUse = makeFirstExamples(models);
  const metrics = makeMetrics(environment.metricsToken, {
    running: () => runner.live.count,
    openTabs: () => tabs.count,
    stored: storedFigures,
  });
  const runner = makeRunner({
    acting: owners.acting,
    models,
    tabs,
    notifications,
    assertMayAsk: (personId) => people.limits.assertMayAsk(personId),
    budgetOf: (personId) => people.limits.budgetOf(personId),
    countEnd: (kind, status) => metrics?.countEnd(kind, status),
    spool: new AnswerSpool(environment.spoolDir, (error) =>
      logFailure("Keeping an answer that the database cannot take", error),
    ),
    maxCharacters: environment.maxAnswerCharacters,
    maxRunning: environment.maxRunningAnswers,
  });
  const closing = new AbortController();
  return {
    ...database,
    ...owners,
    ...people,
    models,
    secrets,
    tabs,
    requestOrigin,
    runner,
    metrics,
    fileBucket,
    closing,
    endTools: () => {
      for (const server of toolServers) server.end();
      return toolConnections.end();
    },
    claims: new RunClaims(sql, { leaseMs }),
    backups: makeBackups({ ...source, sql, signal: closing.signal }, environment, operatorNow),
    deletedKeptMs: environment.deletedKeptMs,
    installation: installationOf(environment, { databaseUrl: source.databaseUrl, ...people }),
    async identify(headers) {
      if (people.accounts) await readySoon();
      return identityOf(headers, { ...people, hasTestOwners: environment.hasTestOwners });
    },
    async ownerOf(who) {
      await readySoon();
      const used = owners.acting(who);
      if (isOwnSpace(who)) await firstUse(used);
      return used;
    },
  };
}

function makePeople(
  { accounts: settings }: ServerEnvironment,
  { sql, secrets, emit }: Pick<Services, "sql" | "secrets"> & { emit: Emit },
) {
  const accounts = settings
    ? new Accounts({
        ...settings,
        sql,
        secret: () => secrets.derive("accounts"),
        appScopes: mcpScopeSchema.options,
        onFailure: logFailure,
      })
    : null;
  const toolServers = configuredServers(process.env.GROVE_MCP_CONFIG, (error) =>
    logFailure("Reading the tools of a configured server", error),
  );
  const house = new HouseSettings({
    variables: process.env,
    store: emitting(new PostgresSettings(sql, houseOwnerId), settingsEvents, emit),
    sealer: secrets,
  });
  // Read as Grove starts, and at each change.
  const operatorNow = async () => (accounts ? house.environment() : house.known);
  const rightsOf = ownerRights(accounts, async () => ({
    environment: await operatorNow(),
    toolServers,
  }));
  return {
    accounts,
    house,
    rightsOf,
    toolServers,
    operatorNow,
    limits: new PersonLimits(accounts),
    projects: new PostgresProjects(sql),
    sharesOf: (spaceId: SpaceId) => new PostgresShares(fencedTo(sql, spaceId), spaceId),
    counts: new RateLimits(),
    devices: new StreamWatch(),
    members: new StreamWatch(),
  };
}

function makeModels({ rightsOf }: Pick<Services, "rightsOf">, secrets: SecretBox): Models {
  const fetchOf = ownerFetch(rightsOf);
  return new Models({
    environment: async (personId) => (await rightsOf(personId)).environment,
    fetchOf: (personId) => modelFetch(fetchOf(personId)),
    sealer: secrets,
    fallback: demoSource(process.env),
  });
}

function ownerMaker(
  { rightsOf }: Pick<Services, "rightsOf">,
  {
    feed,
    secrets,
    ...common
  }: Pick<Services, "sql" | "chunkSql" | "secrets"> & {
    feed: SessionFeed;
    toolConnections: ToolConnections;
    fileSettings: FileSettings;
  },
): (who: PersonInSpace) => OwnerServices {
  const sourceBlocks = readSourceBlocks(process.env);
  const fetchOf = ownerFetch(rightsOf);
  return ({ personId, spaceId }) =>
    ownerServices({
      ...common,
      personId,
      spaceId,
      events: feed.of(spaceId),
      personEvents: feed.of(inOwnSpace(personId).spaceId),
      sourceBlocks,
      toolSources: ({ settings }) => [new WebTools(settings, { fetch: fetchOf(personId) })],
      sealer: secrets,
      configuredServers: async () => (await rightsOf(personId)).toolServers,
      fetch: fetchOf(personId),
    });
}

function fileSettingsOf(
  dataDir: string,
  { bucket, house }: { bucket: FileBucket | null; house: HouseSettings },
): FileSettings {
  return {
    folder: join(dataDir, "uploads"),
    limits: {
      get maxBytes() {
        return maxFileBytes(house);
      },
    },
    place: bucket ?? undefined,
  };
}

function maxFileBytes(house: HouseSettings): number {
  return readSetting(house.known, "GROVE_MAX_FILE_MB") * 1_000_000;
}

function makeMetrics(
  token: string | null,
  sources: Pick<MetricsSources, "running" | "openTabs" | "stored">,
): Metrics | null {
  return token === null ? null : new Metrics({ token, version: packageJson.version, ...sources });
}

function installationOf(
  { dataDir, dataLocation, drainMs, trustedProxies }: ServerEnvironment,
  { databaseUrl, house }: { databaseUrl: string; house: HouseSettings },
): Services["installation"] {
  return {
    environment: process.env,
    version: packageJson.version,
    databaseUrl,
    dataDir,
    dataLocation,
    drainMs,
    get maxFileBytes() {
      return maxFileBytes(house);
    },
    trustedProxies,
  };
}

/** One that ended, perhaps in another process, is an event of its person's settings. */
function endMemberships(
  { members, projects }: Pick<Services, "members" | "projects">,
  personId: PersonId,
): void {
  const isOfPerson = (key: string) => key.startsWith(membershipsOf(personId));
  members
    .endThoseGone((keys) => projects.memberships(keys), isOfPerson)
    .catch((error) => logFailure("Ending what former members read", error));
}

function changesSettings({ type }: SessionEvent): boolean {
  return type === "settings" || type === "data" || type === "missed";
}

function endConnections(connections: ToolConnections, event: SessionEvent): void {
  const spaceId = asSpace(event.ownerId);
  if (event.type === "data" && event.action === "delete") connections.endSpace(spaceId);
  if (event.type === "session" && event.action === "delete")
    connections.endChat({ spaceId, sessionId: event.sessionId });
}

function makeBackups(
  options: Omit<BackupsOptions, "settings" | "onError">,
  { dataDir }: Pick<ServerEnvironment, "dataDir">,
  operatorNow: () => Promise<Environment>,
): Backups {
  const settingsIn = (of: Environment) => ({ of, settings: backupSettings(of, dataDir) });
  let made: ReturnType<typeof settingsIn> | null = null;
  return new Backups({
    ...options,
    async settings() {
      const now = await operatorNow();
      if (made?.of !== now) made = settingsIn(now);
      return made.settings;
    },
    onError: (error) => logFailure("Backing up", error),
  });
}

function backupSettings(environment: Environment, dataDir: string): BackupSettings | BackupError {
  try {
    return readBackupSettings(environment, { dataDir });
  } catch (error) {
    if (error instanceof BackupError) return error;
    throw error;
  }
}
