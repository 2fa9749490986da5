import { z } from "zod";
import { type SessionEvent, SessionEvents } from "@/lib/session";
import type { Notifications } from "./notifications";

const topic = "session";
const maxEventBytes = 6_000;

const eventSchema = z.looseObject({
  type: z.string(),
  ownerId: z.string(),
  sessionId: z.string().nullable(),
});

/** Who hears when a listener of the feed fails. */
export interface SessionFeedOptions {
  /** Hears every event of another process, of any owner, whether or not that owner has listeners here. */
  readonly onCarried?: ((event: SessionEvent) => void) | undefined;
  readonly onListenerError?: ((error: unknown) => void) | undefined;
}

/**
 * The events of all owners of one database, in every process that has a feed. Each process hears its own events at once
 * and those of the others after they were stored; what several processes write to one session at the same moment may be
 * heard in another order than it was stored in.
 */
export class SessionFeed {
  readonly #notifications: Notifications;
  readonly #options: SessionFeedOptions;
  readonly #owners = new Map<string, SessionEvents>();

  constructor(notifications: Notifications, options: SessionFeedOptions = {}) {
    this.#notifications = notifications;
    this.#options = options;
    notifications.on(topic, (body) => this.#hear(body));
    notifications.onMissed(() => this.#tellMissed());
  }

  /** The events of one owner, to be given to that owner's `PostgresSessionStore`; the same object each time. */
  of(ownerId: string): SessionEvents {
    const known = this.#owners.get(ownerId);
    if (known) return known;
    const events = new SessionEvents(ownerId, {
      onListenerError: this.#options.onListenerError,
      carry: (event) => {
        for (const part of inParts(event)) this.#notifications.send(topic, part);
      },
    });
    this.#owners.set(ownerId, events);
    return events;
  }

  #hear(body: unknown): void {
    const event = eventSchema.parse(body) as unknown as SessionEvent;
    this.#owners.get(event.ownerId)?.receive(event);
    this.#options.onCarried?.(event);
  }

  #tellMissed(): void {
    for (const [ownerId, events] of this.#owners) {
      events.receive({ type: "missed", ownerId, sessionId: null });
    }
  }
}

/** An event that names very many messages is told as several that name some each. */
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
