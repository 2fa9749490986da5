import type { TranscriptWire } from "@/lib/chat/wire/messages";
import { forgetPageModules } from "./fresh-modules";
import { forgetKeys } from "./locator";
import { followHistory, navigate } from "./navigation";
import { DocumentNetwork, type Network } from "./network";
import { siteAddress } from "./page-environment";
import { serve } from "./server";
import { connect } from "./stand-ins";

/**
 * Loads the page at this address with modules, listeners and connections of its own. Returns what leaves it, after
 * which nothing of it is seen or asked any more.
 */
export async function openDocument(address: string, network: Network): Promise<() => void> {
  const removeListeners = noteListeners();
  forgetPageModules();
  navigate(address);
  const { mount, tabId } = await import("./site");
  const page = await pageOf(new URL(address), network.owner);
  followHistory();
  const connection = new DocumentNetwork(network, tabId);
  const disconnect = connect(connection);
  const unmount = mount(page);
  return () => {
    dispatchEvent(new Event("pagehide"));
    // Not asked by the page while it is taken away: a browser only stops its scripts.
    connection.leave();
    unmount();
    disconnect();
    removeListeners();
    clearDocument();
  };
}

/** Reads the part of a session that the server renders: the messages of its path, unless a hit is asked for. */
async function pageOf({ pathname, searchParams }: URL, owner: string) {
  const [, space = "", sessionId] = /^(\/p\/[^/]+)?\/s\/([^/]+)$/.exec(pathname) ?? [];
  if (!sessionId || searchParams.has("hit")) return null;
  const leafId = searchParams.get("leaf");
  return (leafId ? await transcript(`&leaf=${leafId}`) : null) ?? transcript("");

  async function transcript(leaf: string): Promise<TranscriptWire | null> {
    const path = `${space}/api/sessions/${sessionId}/transcript?limit=50${leaf}`;
    const answer = await serve(new Request(new URL(path, siteAddress)), owner);
    return answer.ok ? answer.json() : null;
  }
}

type Listening = Parameters<typeof addEventListener>;

/** Modules add listeners to the window for as long as it lives. Returns what removes those added since. */
function noteListeners(): () => void {
  const noted: Listening[] = [];
  const add = globalThis.addEventListener;
  const note = (...given: Listening) => {
    noted.push(given);
    add(...given);
  };
  const { history } = globalThis;
  globalThis.addEventListener = note as typeof addEventListener;
  return () => {
    globalThis.addEventListener = add;
    for (const given of noted) removeEventListener(...given);
    for (const name of ["pushState", "replaceState"]) Reflect.deleteProperty(history, name);
  };
}

function clearDocument(): void {
  document.body.replaceChildren();
  for (const name of document.body.getAttributeNames()) document.body.removeAttribute(name);
  getSelection()?.removeAllRanges();
  document.title = "";
  forgetKeys();
}
