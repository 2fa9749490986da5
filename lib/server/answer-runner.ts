import { trace } from "@opentelemetry/api";
import type { Notifications } from "grove-session/postgres";
import { type RunEvents, Runner, type RunnerOptions } from "@/lib/chat/answering/runner";
import type { OwnerData } from "@/lib/chat/core/owner-data";
import {
  inOwnSpace,
  isTemporarySpace,
  type PersonInSpace,
  type SpaceId,
} from "@/lib/chat/core/person-in-space";
import type { RunRecord } from "@/lib/chat/core/run-store";
import { nameSession } from "@/lib/chat/sessions/name-session";
import { runWire, summaryRunWire } from "@/lib/chat/sessions/transcript";
import type { Models } from "@/lib/chat/settings/models";
import type { EventWire } from "@/lib/chat/wire/events";
import { isTemporaryId } from "@/lib/chat/wire/temporary-id";
import { logFailure } from "./log";
import type { Metrics } from "./metrics";
import type { Owners } from "./owners";
import type { OwnedEvent, TabEvents } from "./tab-events";

const runTopic = "runs";

/** Publishes its own events, because tabs show more than the store holds. */
export function makeRunner({
  acting,
  models,
  tabs,
  notifications,
  countEnd,
  ...options
}: {
  acting: Owners["acting"];
  models: Models;
  tabs: TabEvents;
  notifications: Notifications;
  countEnd: Metrics["countEnd"];
} & RunnerOptions): Runner {
  notifications.on(runTopic, (body) => tabs.publish(body as OwnedEvent));
  const publish = (data: OwnerData, event: EventWire) => {
    const ownerId = spaceOfTabs(data, "sessionId" in event ? event.sessionId : null);
    tabs.publish({ ownerId, event });
    notifications.send(runTopic, { ownerId, event } satisfies OwnedEvent);
  };
  const name = (data: OwnerData, run: RunRecord) =>
    nameSession({ owner: acting(data), models, run }).catch((error: unknown) =>
      logFailure("Naming a session", error),
    );
  const events: RunEvents = {
    started: (data, run) =>
      publish(data, { type: "run-started", sessionId: run.sessionId, run: runWire(run) }),
    finished: async (data, run, status) => {
      const { id: runId, sessionId, messageId } = run;
      countEnd("answer", status);
      traceRun(run, status);
      publish(data, { type: "run-finished", sessionId, runId, messageId, status });
      if (isTemporarySpace(data.spaceId)) return;
      await name(data, run);
    },
    read: (data, sessionId) => publish(data, { type: "session-read", sessionId }),
    summaryStarted: (data, run) => publish(data, summaryEvent("summary-started", run)),
    summaryFinished: (data, run) => {
      countEnd("summary", run.status);
      traceRun(run, run.status);
      publish(data, summaryEvent("summary-finished", run));
    },
    summaryDismissed: (data, { sessionId }) =>
      publish(data, { type: "session-changed", sessionId }),
    failed: (error) => logFailure("Writing an answer or a summary", error),
  };
  return new Runner(events, options);
}

function traceRun({ kind, model, startedAt }: RunRecord, status: string): void {
  const attributes = { "grove.model": model, "grove.status": status };
  trace.getTracer("grove").startSpan(kind, { startTime: startedAt, attributes }).end();
}

/** Tabs receive no events of programs' temporary chats. */
function spaceOfTabs({ personId, spaceId }: PersonInSpace, sessionId: string | null): SpaceId {
  const isShown = sessionId !== null && isTemporaryId(sessionId);
  return isShown ? inOwnSpace(personId).spaceId : spaceId;
}

function summaryEvent(type: "summary-started" | "summary-finished", run: RunRecord): EventWire {
  return { type, sessionId: run.sessionId, summary: summaryRunWire(run) };
}
