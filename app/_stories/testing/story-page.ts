import { desktop, resizeScreen, type Screen } from "./layout";
import { eventually, Locator, pressKeys, typeText } from "./locator";
import { type HeldRequest, matches, Network, type Route, type SeenResponse } from "./network";
import { siteAddress } from "./page-environment";
import { openDocument } from "./story-document";

/** A page of Grove in this process: what Next would render, on the route handlers, without a browser. */
export class StoryPage extends Locator {
  readonly keyboard = { press: pressKeys, type: typeText };
  readonly #network: Network;
  #leave: (() => void) | null = null;

  constructor(owner: string) {
    super(() => [document.body], "page");
    this.#network = new Network(owner);
    Object.assign(document.documentElement.dataset, {
      owner,
      theme: "system",
      sidebar: "open",
      drawer: "closed",
      maxFileBytes: String(25_000_000),
    });
  }

  url(): string {
    return location.href;
  }

  async goto(path: string): Promise<void> {
    this.#unload();
    this.#leave = await openDocument(new URL(path, siteAddress).href, this.#network);
  }

  async reload(): Promise<void> {
    await this.goto(location.href);
  }

  async goBack(): Promise<void> {
    history.back();
  }

  async waitForURL(address: string | RegExp): Promise<void> {
    await eventually(() => {
      if (!matches(address, location.href)) throw new Error(`${location.href} is not ${address}.`);
    });
  }

  async title(): Promise<string> {
    return document.title;
  }

  async setViewportSize(screen: Screen): Promise<void> {
    resizeScreen(screen);
  }

  async route(pattern: string | RegExp, handler: (route: Route) => unknown): Promise<void> {
    this.#network.route(pattern, handler);
  }

  async unroute(pattern: string | RegExp): Promise<void> {
    this.#network.unroute(pattern);
  }

  on(_: "response", listener: (response: SeenResponse) => void): void {
    this.#network.onResponse((__, response) => listener(response));
  }

  waitForRequest(pattern: string | RegExp): Promise<HeldRequest> {
    const { promise, resolve } = Promise.withResolvers<HeldRequest>();
    const stop = this.#network.onRequest((request) => {
      if (!matches(pattern, request.url())) return;
      stop();
      resolve(request);
    });
    return promise;
  }

  waitForResponse(
    pattern: string | RegExp,
    isMeant: (request: HeldRequest) => boolean = () => true,
  ): Promise<SeenResponse> {
    const { promise, resolve } = Promise.withResolvers<SeenResponse>();
    const stop = this.#network.onResponse((request, response) => {
      if (!matches(pattern, request.url()) || !isMeant(request)) return;
      stop();
      resolve(response);
    });
    return promise;
  }

  /** At the end of its story, which leaves nothing to the next. */
  async close(): Promise<void> {
    this.#unload();
    localStorage.clear();
    sessionStorage.clear();
    resizeScreen(desktop);
    await this.#network.settled();
  }

  #unload(): void {
    this.#leave?.();
    this.#leave = null;
  }
}
