import { GeistMono } from "geist/font/mono";
import { GeistSans } from "geist/font/sans";
import type { Metadata, Viewport } from "next";
import { headers } from "next/headers";
import type { ReactNode } from "react";
import { AppShell } from "@/app/_shell/app-shell";
import { BootScript } from "@/app/_shell/boot-script";
import { Providers } from "@/app/_shell/providers";
import { reader } from "@/app/_ui/reader";
import { identity } from "@/app/identity";
import { services } from "@/lib/server/services";
import "./globals.css";
import { nonceOf } from "./nonce-of";

export const metadata: Metadata = {
  title: { default: "Grove", template: "%s · Grove" },
  description:
    "A self-hosted AI chat. Every conversation is a tree, every memory a document you own.",
};

export const viewport: Viewport = {
  width: "device-width",
  initialScale: 1,
  viewportFit: "cover",
  themeColor: [
    { media: "(prefers-color-scheme: light)", color: "#faf8f3" },
    { media: "(prefers-color-scheme: dark)", color: "#1c1a17" },
  ],
};

const pageEnd = "page-end";

export default async function RootLayout({ children }: { children: ReactNode }) {
  // Next reads the nonce from the policy header, too.
  const nonce = nonceOf((await headers()).get("content-security-policy"));
  const asking = await identity();
  return (
    <html
      lang="en"
      data-owner={asking?.personId ?? "nobody"}
      data-max-file-bytes={services().installation.maxFileBytes}
      data-forms={JSON.stringify(reader().forms)}
      data-theme="system"
      data-sidebar="open"
      data-drawer="closed"
      className={`${GeistSans.variable} ${GeistMono.variable}`}
      suppressHydrationWarning
    >
      <head>
        <BootScript nonce={nonce} />
        {/* Half a page would move when the rest comes. */}
        <link rel="expect" href={`#${pageEnd}`} blocking="render" />
      </head>
      <body>
        <Providers>
          {asking && !asking.person?.deletesAt ? (
            <AppShell personName={asking.person?.name ?? null}>{children}</AppShell>
          ) : (
            children
          )}
        </Providers>
        <template id={pageEnd} />
      </body>
    </html>
  );
}
