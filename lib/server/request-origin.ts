import { AsyncLocalStorage } from "node:async_hooks";

export const tabHeader = "x-grove-tab";
const tabName = /^[\w-]{1,64}$/;

/** Lets events name the tab that caused them. */
export class RequestOrigin {
  readonly #serving = new AsyncLocalStorage<{ tab: string | undefined }>();

  /** `undefined` outside requests, and for clients that name none. */
  get tab(): string | undefined {
    return this.#serving.getStore()?.tab;
  }

  async serve<Answer>(request: Request, handle: () => Promise<Answer> | Answer): Promise<Answer> {
    const name = request.headers.get(tabHeader);
    const serving = { tab: name !== null && tabName.test(name) ? name : undefined };
    try {
      return await this.#serving.run(serving, handle);
    } finally {
      // Work that outlives the request is not the tab's own write.
      serving.tab = undefined;
    }
  }
}
