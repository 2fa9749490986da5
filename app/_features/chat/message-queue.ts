/** A message written while an answer was being written; its ids are those it will be sent with. */
export interface QueuedMessage {
  readonly id: string;
  readonly answerId: string;
  readonly text: string;
}

export type MessageQueue = readonly QueuedMessage[];

export type QueueEvent =
  | { readonly type: "added"; readonly message: QueuedMessage }
  | { readonly type: "changed"; readonly id: string; readonly text: string }
  | { readonly type: "removed"; readonly id: string };

/** The queue after `event`; a message changed to nothing leaves it. */
export function nextQueue(queue: MessageQueue, event: QueueEvent): MessageQueue {
  switch (event.type) {
    case "added":
      return [...queue, event.message];
    case "changed":
      return event.text.trim() === ""
        ? queue.filter(({ id }) => id !== event.id)
        : queue.map((message) =>
            message.id === event.id ? { ...message, text: event.text } : message,
          );
    case "removed":
      return queue.filter(({ id }) => id !== event.id);
  }
}
