"use client";

import { ImageOff } from "lucide-react";
import {
  type ComponentProps,
  isValidElement,
  memo,
  type ReactNode,
  useContext,
  useEffect,
  useRef,
} from "react";
import type { Components, ExtraProps } from "streamdown";
import { directionOf, isolated } from "@/app/_ui/isolated";
import { CodeBlock } from "./code-block";
import { hostOf, hostToShow, safeHref } from "./link-address";
import { SortableTable } from "./sortable-table";
import { TaskTicking } from "./task-ticking";
import { loadedMath } from "./use-math-plugin";

type ElementProps<Tag extends keyof React.JSX.IntrinsicElements> = ComponentProps<Tag> & ExtraProps;

// An Arabic paragraph in an English answer reads from the right.
const directed = new Set(["p", "h1", "h2", "h3", "h4", "h5", "h6"]);
// `auto` would skip what has a direction of its own, such as the paragraphs of an item.
const containers = new Set(["ul", "ol", "li", "blockquote"]);

/** Styled by `prose`. */
export const elements: Components = {
  ...plain("p", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "li", "blockquote", "hr"),
  ...plain("strong", "thead", "tbody", "tr", "sup", "sub", "section"),
  ...plain("kbd", "details", "summary", "br"),
  a: Anchor,
  img: ImagePlaceholder,
  input: TaskBox,
  pre: Pre,
  code: InlineCode,
  table: Table,
  th: cell("th"),
  td: cell("td"),
};

function plain(...tags: (keyof React.JSX.IntrinsicElements)[]): Components {
  return Object.fromEntries(tags.map((tag) => [tag, plainElement(tag)]));
}

function plainElement(Tag: keyof React.JSX.IntrinsicElements) {
  const auto = directed.has(Tag) ? { dir: "auto" } : {};
  return function Plain({ node: _, className: __, style: ___, ...props }: ElementProps<"div">) {
    const Element = Tag as "div";
    const direction = containers.has(Tag) ? directionIn(props.children) : auto;
    return <Element {...direction} {...props} />;
  };
}

const alignments = ["left", "center", "right"] as const;

/** Of a table; its alignment is all that it keeps of a style. */
function cell(Tag: "th" | "td") {
  return function Cell({ node: _, className: __, style, ...props }: ElementProps<"td">) {
    const textAlign = alignments.find((known) => known === style?.textAlign);
    return (
      <Tag
        {...directionIn(props.children)}
        {...props}
        {...(textAlign && { style: { textAlign } })}
      />
    );
  };
}

/** Of its first words outside code. */
function directionIn(children: ReactNode): { dir?: "ltr" | "rtl" } {
  const dir = firstDirection(children);
  return dir === null ? {} : { dir };
}

function firstDirection(children: ReactNode): "ltr" | "rtl" | null {
  if (typeof children === "string") return directionOf(children);
  if (Array.isArray(children)) {
    for (const child of children) {
      const found = firstDirection(child);
      if (found !== null) return found;
    }
    return null;
  }
  if (!isValidElement<{ children?: ReactNode }>(children) || children.type === InlineCode)
    return null;
  return firstDirection(children.props.children);
}

function Anchor({ href, children }: ElementProps<"a">) {
  const address = safeHref(href);
  if (!address) return <bdi>{children}</bdi>;
  const host = hostToShow(textOf(children), href);
  return (
    <>
      <a href={address} target="_blank" rel="noopener noreferrer nofollow">
        <bdi>{children}</bdi>
      </a>
      {host && <bdi className="text-muted"> ({host})</bdi>}
    </>
  );
}

/** Loading an image would tell its host what is being read. */
function ImagePlaceholder({ src, alt }: ElementProps<"img">) {
  const host = hostOf(src);
  return (
    <span className="image-placeholder">
      <ImageOff aria-hidden />
      <span>
        {alt ? `“${isolated(alt)}”: image` : "Image"}
        {host ? ` from ${host}` : ""} not loaded
      </span>
    </span>
  );
}

/** Operable where the text is editable. */
function TaskBox({ checked = false }: ElementProps<"input">) {
  const onTick = useContext(TaskTicking);
  const ref = useRef<HTMLInputElement>(null);
  // After each render, since the text beside it may have changed.
  useEffect(() => nameByItem(ref.current));
  return (
    <input
      ref={ref}
      type="checkbox"
      checked={checked}
      disabled={onTick === null}
      onChange={(event) => onTick?.(event.currentTarget)}
    />
  );
}

function nameByItem(box: HTMLInputElement | null): void {
  const [words = ""] = box?.parentElement?.textContent?.trim().split("\n") ?? [];
  box?.setAttribute("aria-label", words);
}

function Pre({ children }: ElementProps<"pre">) {
  return <>{children}</>;
}

function InlineCode({ node, className, children }: ElementProps<"code">) {
  const text = textOf(children);
  const formula = /\bmath-(inline|display)\b/.exec(className ?? "")?.[1];
  if (formula) return <Formula source={text} isDisplay={formula === "display"} />;
  const isBlock =
    node?.position?.start.line !== node?.position?.end.line || /language-/.test(className ?? "");
  if (!isBlock) return <code dir="ltr">{children}</code>;
  const language = /language-(\S+)/.exec(className ?? "")?.[1] ?? "";
  return <CodeBlock code={text.replace(/\n$/, "")} language={language} />;
}

function Table({ node, children }: ElementProps<"table">) {
  return (
    <SortableTable node={node} {...directionIn(children)}>
      {children}
    </SortableTable>
  );
}

function textOf(children: ReactNode): string {
  if (typeof children === "string") return children;
  if (Array.isArray(children)) return children.map(textOf).join("");
  return isValidElement<{ children?: ReactNode }>(children) ? textOf(children.props.children) : "";
}

interface FormulaProps {
  readonly source: string;
  readonly isDisplay: boolean;
}

const Formula = memo(function Formula({ source, isDisplay }: FormulaProps) {
  const html = loadedMath()?.formulaHtml(source, { isDisplay }) ?? null;
  if (html === null) return <code dir="ltr">{source}</code>;
  // biome-ignore lint/security/noDangerouslySetInnerHtml: KaTeX escapes what it is given, and a tree of React elements takes 25 times as long
  return <span dir="ltr" dangerouslySetInnerHTML={{ __html: html }} />;
});
