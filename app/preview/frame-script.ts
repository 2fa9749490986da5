/**
 * Takes one document from the embedding page and answers on its port. Scripts get the nonce before the first runs and
 * cannot read it, so a frame within the frame, which would have every interface removed here, runs none.
 */
export const frameScript = String.raw`
"use strict";
(() => {
  const nonce = document.currentScript.nonce;
  const setNonce = Object.getOwnPropertyDescriptor(HTMLElement.prototype, "nonce").set;
  for (const type of [HTMLElement, SVGElement, globalThis.MathMLElement])
    if (type) delete type.prototype.nonce;
  // A report of what was blocked quotes the policy, with the nonce.
  delete SecurityPolicyViolationEvent.prototype.originalPolicy;
  for (const name of Object.getOwnPropertyNames(window))
    if (/RTC|WebTransport|WebSocket|SharedWorker|ReportingObserver/.test(name)) delete window[name];
  let port;
  const say = (message) => port.postMessage(message);
  const fail = (message) => say({ type: "problem", message: String(message).slice(0, 500) });

  addEventListener("message", function take({ source, data, ports }) {
    if (source !== parent || !ports[0]) return;
    removeEventListener("message", take);
    port = ports[0];
    port.onmessage = ({ data: question }) => {
      if (question === "ping") say({ type: "pong" });
      else if (question.diagram !== undefined) void draw(question);
    };
    if (data.kind === "html") showPage(data.source);
    else if (data.kind === "svg") showImage(data.source);
    else run(data.library);
  });
  parent.postMessage("preview-ready", "*");

  function scriptWith(text, attributes = []) {
    const script = document.createElement("script");
    for (const { name, value } of attributes) script.setAttribute(name, value);
    script.text = text;
    setNonce.call(script, nonce);
    return script;
  }

  function run(text) {
    document.head.append(scriptWith(text));
  }

  function showImage(source) {
    const svg = new DOMParser().parseFromString(source, "text/html").querySelector("svg");
    if (!svg) return fail("There is no <svg> element in it.");
    const image = new Image();
    image.alt = "Preview";
    image.style.cssText = "position:fixed;inset:0;width:100%;height:100%;object-fit:contain";
    image.onerror = () => fail("This SVG is damaged.");
    image.onload = () => {
      const { naturalWidth, naturalHeight } = image;
      if (naturalWidth > 0)
        say({ type: "height", px: naturalHeight * Math.min(1, innerWidth / naturalWidth) });
    };
    const text = new XMLSerializer().serializeToString(svg);
    image.src = "data:image/svg+xml;charset=utf-8," + encodeURIComponent(text);
    document.body.append(image);
  }

  function showPage(source) {
    const page = new DOMParser().parseFromString(source, "text/html");
    for (const element of page.querySelectorAll("base, meta[http-equiv], link:not([rel=stylesheet])"))
      element.remove();
    document.open();
    watch();
    document.write("<!doctype html>" + page.documentElement.outerHTML);
    const pairs = [...document.querySelectorAll("script")]
      .filter(({ type }) => /^(module|(text|application)\/(java|ecma)script)?$/.test(type))
      .map((old) => [old, scriptWith(old.text, old.attributes)]);
    bindAll(document.documentElement);
    new MutationObserver((changes) => {
      for (const { type, target, attributeName, addedNodes } of changes) {
        if (type === "attributes") bind(target, attributeName);
        for (const added of addedNodes) if (added.nodeType === 1) bindAll(added);
      }
    }).observe(document, { subtree: true, childList: true, attributes: true });
    for (let n = 0; n < pairs.length; n++)
      if (pairs[n][0].isConnected) pairs[n][0].replaceWith(pairs[n][1]);
    document.close();
  }

  function watch() {
    addEventListener("error", ({ message }) => message && fail(message));
    addEventListener("unhandledrejection", ({ reason }) => fail(reason?.message ?? reason));
    document.addEventListener("securitypolicyviolation", ({ blockedURI }) => {
      if (/^https?:/.test(blockedURI)) say({ type: "blocked", host: new URL(blockedURI).host });
    });
    addEventListener("click", (event) => {
      const link = event.composedPath().find((target) => target.tagName === "A" && target.href);
      if (link && !link.getAttribute("href").startsWith("#")) event.preventDefault();
    }, true);
    addEventListener("load", () => {
      measure();
      new ResizeObserver(measure).observe(document.documentElement);
    });
  }

  // The lowest edge, as not all that is seen is in the flow. The page itself is as high as its flow.
  function measure() {
    const elements = [...document.querySelectorAll("*")].slice(0, 5000);
    const edges = elements.map((element) => element.getBoundingClientRect().bottom);
    say({ type: "height", px: Math.max(...edges) + scrollY });
  }

  function bindAll(root) {
    for (const element of [root, ...root.querySelectorAll("*")])
      for (const { name } of [...element.attributes]) bind(element, name);
  }

  // The policy stops attributes that are scripts, and cannot tell whose they are.
  function bind(element, name) {
    if (!name.startsWith("on") || !(name in element)) return;
    const text = element.getAttribute(name);
    try {
      element[name] = text === null ? null : new Function("event", "with(document){with(this){" + text + "\n}}");
    } catch (error) {
      fail(error.message);
    }
  }

  async function draw({ diagram, id, colours }) {
    try {
      mermaid.initialize({
        startOnLoad: false,
        securityLevel: "strict",
        suppressErrorRendering: true,
        theme: "base",
        themeVariables: colours,
        fontFamily: "system-ui, sans-serif",
        htmlLabels: false,
        flowchart: { htmlLabels: false },
      });
      const { svg } = await mermaid.render("drawing", diagram);
      const element = new DOMParser().parseFromString(svg, "text/html").querySelector("svg");
      const [, , width, height] = element.getAttribute("viewBox").split(/[\s,]+/).map(Number);
      element.setAttribute("width", width);
      element.setAttribute("height", height);
      element.style.maxWidth = "";
      say({ type: "drawn", id, svg: new XMLSerializer().serializeToString(element), width, height });
    } catch (error) {
      say({ type: "drawn", id, problem: String(error.message ?? error).slice(0, 500) });
    }
  }
})();
`;
