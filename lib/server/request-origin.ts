import { AsyncLocalStorage } from "node:async_hooks";

/** The header in which a tab names itself. */
export const tabHeader = "x-grove-tab";
const tabName = /^[\w-]{1,64}$/;

/** Knows which tab's request is being served, so that events can name the tab that caused them. */
export class RequestOrigin {
  readonly #serving = new AsyncLocalStorage<{ tab: string | undefined }>();

  /** The tab whose request is being served; `undefined` outside requests, and for clients that name none. */
  get tab(): string | undefined {
    return this.#serving.getStore()?.tab;
  }

  async serve<Answer>(request: Request, handle: () => Promise<Answer> | Answer): Promise<Answer> {
    const name = request.headers.get(tabHeader);
    const serving = { tab: name !== null && tabName.test(name) ? name : undefined };
    try {
      return await this.#serving.run(serving, handle);
    } finally {
      // An answer or a summary that the request has started goes on, but is not the tab's own write.
      serving.tab = undefined;
    }
  }
}
