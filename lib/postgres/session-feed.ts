import { z } from "zod";
import type { SessionEvent } from "../session";
import { SessionEvents, type SessionEventsOptions } from "../session/internal";
import type { Notifications } from "./notifications";

const topic = "session";
const maxEventBytes = 6_000;

const eventSchema = z.looseObject({
  type: z.string(),
  ownerId: z.string(),
  sessionId: z.string().nullable(),
});

export interface SessionFeedOptions
  extends Pick<SessionEventsOptions, "origin" | "onListenerError"> {
  readonly onEvent?: ((event: SessionEvent) => void) | undefined;
}

/**
 * Events of all owners of one database. A process receives its own at once and others once stored; the order of
 * concurrent writes to one session may differ.
 */
export class SessionFeed {
  readonly #notifications: Notifications;
  readonly #options: SessionFeedOptions;
  readonly #owners = new Map<string, SessionEvents>();

  constructor(notifications: Notifications, options: SessionFeedOptions = {}) {
    this.#notifications = notifications;
    this.#options = options;
    notifications.on(topic, (body) => this.#receive(eventSchema.parse(body) as SessionEvent));
    notifications.onMissed(() => this.#receiveMissed());
  }

  /** The same object each time. */
  of(ownerId: string): SessionEvents {
    const known = this.#owners.get(ownerId);
    if (known) return known;
    const { origin, onListenerError, onEvent } = this.#options;
    const events = new SessionEvents(ownerId, {
      origin,
      onListenerError,
      publish: (event) => {
        onEvent?.(event);
        for (const part of inParts(event)) this.#notifications.send(topic, part);
      },
    });
    this.#owners.set(ownerId, events);
    return events;
  }

  #receive(event: SessionEvent): void {
    this.#owners.get(event.ownerId)?.receive(event);
    this.#options.onEvent?.(event);
  }

  #receiveMissed(): void {
    for (const ownerId of this.#owners.keys())
      this.#receive({ type: "missed", ownerId, sessionId: null });
  }
}

function inParts(event: SessionEvent): SessionEvent[] {
  if (!("messageIds" in event) || event.messageIds.length < 2) return [event];
  if (Buffer.byteLength(JSON.stringify(event)) <= maxEventBytes) return [event];
  const half = Math.ceil(event.messageIds.length / 2);
  const [first, second] = [event.messageIds.slice(0, half), event.messageIds.slice(half)];
  return [
    ...inParts({ ...event, messageIds: first }),
    ...inParts({ ...event, messageIds: second }),
  ];
}
