import { pageStyle } from "@/app/_message/page-file/page-style";

export const linkHeaders = {
  "Content-Type": "text/html; charset=utf-8",
  // Each view asks again, so that an end holds at once.
  "Cache-Control": "private, no-store",
  "X-Robots-Tag": "noindex, nofollow",
} as const;

export function gonePage(): Response {
  return smallPage(
    404,
    "This link leads nowhere",
    "<p>It was stopped, has expired or never was. Ask the person you have it from for another one.</p>",
  );
}

export function askPage(isWrong: boolean): Response {
  return smallPage(
    isWrong ? 403 : 200,
    "This page has a password",
    `${isWrong ? `<p role="alert">This is not the password. Try again.</p>` : ""}<form method="post">
<label>Password <input type="password" name="password" required maxlength="200" autofocus autocomplete="off"></label>
<button>Open</button></form>`,
  );
}

export function reportPage(): Response {
  return smallPage(
    200,
    "Report this page?",
    `<p>Administrators of this Grove see that it was reported, not by whom. They can take it down.</p>
<form method="post"><button name="report" value="1">Report</button></form>`,
  );
}

export function thanksPage(): Response {
  return smallPage(
    200,
    "Reported",
    "<p>Thank you. Administrators of this Grove will look at it.</p>",
  );
}

const formStyle = `label{display:block;margin-bottom:1rem}input,button{font:inherit;padding:.5rem .75rem;border:1px solid var(--line);
border-radius:.75rem;background:var(--raised);color:inherit}input{display:block;width:100%;max-width:20rem;margin-top:.25rem}`;

function smallPage(status: number, title: string, content: string): Response {
  const head = `<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title>`;
  const page = `<!doctype html><html lang="en"><head>${head}<style>${pageStyle}${formStyle}</style></head>
<body><header><h1>${title}</h1></header><main>${content}</main></body></html>\n`;
  const policy =
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";
  // `no-referrer` would send the form without its origin, which other sites do, too.
  const own = { "Content-Security-Policy": policy, "Referrer-Policy": "same-origin" };
  return new Response(page, { status, headers: { ...linkHeaders, ...own } });
}
