"use client";

import { ArrowUp, ListEnd, Plus, Square, X } from "lucide-react";
import {
  type ClipboardEvent,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { askAgain, askedAssistant, takeAsked } from "@/app/_data/assistants/asked-assistant";
import { useAssistants } from "@/app/_data/assistants/use-assistants";
import {
  cleanText,
  MAX_MESSAGE_LENGTH,
  replacedWords,
  textProblem,
} from "@/app/_data/chat/clean-text";
import { draftOf, useDraft, writeDraft } from "@/app/_data/chat/draft-store";
import { attach, attachText } from "@/app/_data/files/attachments";
import { isSendKey } from "@/app/_data/page/preferences";
import { nextField, usePrompts } from "@/app/_data/prompts/use-prompts";
import { searchCursor } from "@/app/_data/search/search-cursor";
import { AttachButtons, AttachItems, useAttaching } from "@/app/_message/files/attach-button";
import { AttachmentList, useAttachments } from "@/app/_message/files/attachment-list";
import { useDroppedFiles } from "@/app/_message/files/file-drop";
import { IconButton } from "@/app/_ui/button";
import { Textarea } from "@/app/_ui/fields";
import { isolated } from "@/app/_ui/isolated";
import { Spinner } from "@/app/_ui/loading";
import { Menu } from "@/app/_ui/menu";
import { useStore } from "@/app/_ui/store";
import type { AssistantWire } from "@/lib/chat/wire/assistants";
import type { PromptWire } from "@/lib/chat/wire/prompts";
import { CommandMenu, useCommandMenu } from "./command-menu";
import { DictateButton, DictateItem, type DictatingOptions, useDictating } from "./dictate";
import {
  type ComposerPlace,
  type MenuEntry,
  matchingAssistants,
  matchingCommands,
  matchingPrompts,
  namedAssistant,
  readCommand,
  refusalOf,
  type SlashCommandName,
} from "./slash-command";

/** Limit in characters, beyond which a paste becomes a file. */
const longestInlinePaste = 5_000;

export interface ComposerProps {
  readonly draftKey: string;
  readonly placeholder: string;
  readonly isWriting: boolean;
  readonly canStop: boolean;
  readonly isStopping: boolean;
  readonly onSend: (text: string) => void;
  readonly holdBack: () => boolean;
  readonly onStop: () => void;
  readonly place: ComposerPlace;
  readonly onCommand: (name: SlashCommandName, argument: string) => void;
  readonly onLookBack?: () => void;
  readonly above?: ReactNode;
  readonly footer?: ReactNode;
  readonly phoneMenu?: ReactNode;
  readonly phoneMark?: ReactNode;
}

export function Composer(props: ComposerProps) {
  const { placeholder, above } = props;
  const composer = useComposer(props);
  const { draft, field, matching, menu, menuId, problem, isEmpty, isSendable } = composer;
  const [hearing, setHearing] = useState<HTMLElement | null>(null);
  return (
    <div className="relative mx-auto w-full max-w-column px-3 pb-[max(0.75rem,env(safe-area-inset-bottom))] before:pointer-events-none before:absolute before:inset-x-0 before:-top-6 before:h-6 before:bg-linear-to-t before:from-paper before:to-transparent sm:px-5">
      {above}
      <form
        aria-label="Message"
        className="relative rounded-2xl border border-edge bg-raised shadow-float transition-colors focus-within:border-accent"
        onSubmit={(event) => {
          event.preventDefault();
          composer.submit();
        }}
      >
        {menu.isOpen && (
          <CommandMenu
            id={menuId}
            commands={matching}
            activeIndex={menu.activeIndex}
            onChoose={composer.choose}
          />
        )}
        <AskedAssistant draftKey={props.draftKey} />
        <AttachmentList draftKey={props.draftKey} onInline={composer.putInline} />
        <div onPasteCapture={composer.onPaste}>
          <Textarea
            data-composer-input
            variant="plain"
            aria-label="Message"
            aria-describedby={problem ? `${menuId}-problem` : undefined}
            aria-invalid={textProblem(draft) ? true : undefined}
            aria-autocomplete="list"
            aria-haspopup="listbox"
            aria-controls={menu.isOpen ? menuId : undefined}
            aria-activedescendant={menu.isOpen ? `${menuId}-${menu.activeIndex}` : undefined}
            ref={field}
            dir="auto"
            rows={1}
            maxRows={12}
            placeholder={placeholder}
            value={draft}
            onChange={(event) => composer.write(event.target.value)}
            pasteLimit={MAX_MESSAGE_LENGTH}
            onKeyDown={composer.onKeyDown}
            onBlur={menu.close}
            className="px-4 pt-3.5 pb-1 text-prose leading-relaxed"
          />
        </div>
        {problem && (
          <p id={`${menuId}-problem`} role="alert" className="px-4 pb-1 text-danger text-sm">
            {problem}
          </p>
        )}
        <div ref={setHearing} />
        <div className="flex items-center gap-1 p-2">
          <Tools
            {...props}
            field={field}
            place={hearing}
            onText={composer.write}
            onFiles={composer.onFiles}
          />
          <StopAndSend {...props} isEmpty={isEmpty} isSendable={isSendable} />
        </div>
      </form>
    </div>
  );
}

function AskedAssistant({ draftKey }: Pick<ComposerProps, "draftKey">) {
  const { ref: asked } = useStore(askedAssistant(draftKey));
  if (!asked) return null;
  const name = isolated(asked.name);
  return (
    <p className="flex items-center gap-1 px-4 pt-2 text-sm">
      <span className="min-w-0 truncate rounded-md bg-accent-soft px-2 py-0.5 text-accent">
        {`@${name}`}
      </span>
      <IconButton
        label={`Do not ask ${name}`}
        size="xs"
        tooltip="top"
        onClick={() => void takeAsked(draftKey)}
      >
        <X aria-hidden />
      </IconButton>
    </p>
  );
}

interface ToolsProps
  extends Pick<ComposerProps, "footer" | "phoneMenu" | "phoneMark">,
    DictatingOptions {
  readonly onFiles: (files: readonly File[]) => void;
}

function Tools({ footer, phoneMenu, phoneMark, onFiles, ...options }: ToolsProps) {
  const attaching = useAttaching(onFiles);
  const dictating = useDictating(options);
  return (
    <>
      <div className="flex min-w-0 flex-1 items-center gap-1">
        {attaching.inputs}
        <div className="contents max-sm:hidden">
          <AttachButtons {...attaching} />
        </div>
        <div className="contents sm:hidden">
          <Menu
            align="start"
            side="top"
            trigger={
              <IconButton label="Attach and more" tooltip="none">
                <Plus aria-hidden />
                {phoneMark}
              </IconButton>
            }
          >
            <AttachItems {...attaching} />
            {dictating.isOffered && !dictating.isListening && <DictateItem {...dictating} />}
            {phoneMenu}
          </Menu>
        </div>
        {footer}
      </div>
      {dictating.isOffered && <DictateButton {...dictating} />}
      {dictating.notes}
    </>
  );
}

interface StopAndSendProps extends ComposerProps {
  readonly isEmpty: boolean;
  readonly isSendable: boolean;
}

function StopAndSend(props: StopAndSendProps) {
  const { isWriting, canStop, isStopping, isEmpty, isSendable, onStop } = props;
  return (
    <>
      {canStop && (
        <IconButton
          label={isStopping ? "Stopping" : "Stop writing"}
          size="md"
          variant="quiet"
          tooltip="top"
          className="rounded-xl"
          disabled={isStopping}
          onClick={onStop}
        >
          {isStopping ? <Spinner /> : <Square aria-hidden className="fill-current" />}
        </IconButton>
      )}
      {(!canStop || !isEmpty) && (
        <IconButton
          type="submit"
          label={isWriting ? "Send after this answer" : "Send"}
          size="md"
          variant="primary"
          tooltip="top"
          className="rounded-xl"
          disabled={!isSendable}
        >
          {isWriting ? <ListEnd aria-hidden /> : <ArrowUp aria-hidden />}
        </IconButton>
      )}
    </>
  );
}

function useComposer(props: ComposerProps) {
  const { draftKey } = props;
  const draftText = useDraftText(draftKey);
  const { draft, setDraft, write, problem } = draftText;
  const menuId = useId();
  const field = useFirstFocus();
  useEarlyText(field, draftKey);
  const { matching, fields, menu, run, choose, writeNamed } = useSlashCommands(props, {
    ...{ draftText, field },
  });
  const { attachments, onFiles, onPaste } = useDraftFiles(draftKey);
  const isEmpty = draft.trim() === "" && attachments.length === 0;
  const isReady = attachments.every(({ state }) => state.kind === "stored");
  const isSendable = !isEmpty && isReady && textProblem(draft) === null;

  function submit() {
    if (!isSendable) return;
    const command = readCommand(draft);
    if (command) run(command.name, command.argument);
    else if (!props.holdBack()) {
      setDraft("");
      props.onSend(draft);
    }
  }

  function onKeyDown(event: KeyboardEvent<HTMLTextAreaElement>) {
    const isWholeCommand = event.key === "Enter" && readCommand(draft) !== null;
    const move = isWholeCommand ? null : menu.onKey(event.key);
    if (move) {
      event.preventDefault();
      if (move.kind === "choose") choose(move.command);
    } else if (event.key === "Tab" && !event.altKey && fields.select(event.shiftKey)) {
      event.preventDefault();
    } else if (isSendKey(event)) {
      event.preventDefault();
      submit();
    } else if (event.key === "Backspace" && draft === "") {
      takeAsked(draftKey);
    } else if (event.key === "ArrowUp" && draft === "" && !hasModifier(event)) {
      props.onLookBack?.();
    }
  }

  return {
    draft,
    field,
    matching,
    menu,
    menuId,
    problem,
    isEmpty,
    isSendable,
    onFiles,
    onPaste,
    putInline: (text: string) => write(draft === "" ? text : `${draft}\n\n${text}`),
    write: writeNamed,
    submit,
    choose,
    onKeyDown,
  };
}

function useDraftText(draftKey: string) {
  const [draft, setDraft] = useDraft(draftKey);
  const [notice, setNotice] = useState<string | null>(null);

  function write(text: string) {
    const cleaned = cleanText(text);
    setDraft(cleaned.text);
    setNotice(replacedWords(cleaned.replaced));
  }

  return { draft, setDraft, setNotice, write, problem: textProblem(draft) ?? notice };
}

interface SlashCommandsOptions {
  readonly draftText: ReturnType<typeof useDraftText>;
  readonly field: RefObject<HTMLTextAreaElement | null>;
}

function useSlashCommands(
  { draftKey, place, onCommand }: ComposerProps,
  { draftText, field }: SlashCommandsOptions,
) {
  const { draft, setDraft, setNotice, write } = draftText;
  const prompts = usePrompts({ isWanted: draft.startsWith("/") }).data?.prompts ?? noPrompts;
  const assistants =
    useAssistants({ isWanted: draft.startsWith("@") }).data?.assistants ?? noAssistants;
  const matching = [
    ...matchingCommands(draft, place),
    ...matchingPrompts(draft, prompts),
    ...matchingAssistants(draft, assistants),
  ];
  const fields = useFields(field);
  const menu = useCommandMenu(matching);

  function run(name: SlashCommandName, argument: string) {
    const refusal = refusalOf(name, place);
    setNotice(refusal);
    if (refusal !== null) return;
    setDraft("");
    onCommand(name, argument);
  }

  function choose(command: MenuEntry) {
    if ("assistant" in command) {
      askAgain(draftKey, command.assistant);
      setDraft("");
    } else if ("text" in command) {
      setDraft(command.text);
      fields.begin(command.text);
    } else if (command.argument) setDraft(`/${command.name} `);
    else run(command.name, "");
  }

  function writeNamed(text: string) {
    const named = namedAssistant(text, assistants);
    askAgain(draftKey, named?.assistant);
    write(named?.text ?? text);
  }

  return { matching, fields, menu, run, choose, writeNamed };
}

function useDraftFiles(draftKey: string) {
  const attachments = useAttachments(draftKey);
  const onFiles = (files: readonly File[]) => attach(draftKey, files);
  useDroppedFiles(onFiles);

  /** A spreadsheet's table is both picture and text, and the text is meant. */
  function onPaste(event: ClipboardEvent) {
    const { files } = event.clipboardData;
    const text = event.clipboardData.getData("text");
    if (text === "" && files.length === 0) return;
    if (text !== "" && text.length <= longestInlinePaste) return;
    event.preventDefault();
    event.stopPropagation();
    if (text === "") onFiles([...files]);
    else attachText(draftKey, text);
  }

  return { attachments, onFiles, onPaste };
}

const noPrompts: readonly PromptWire[] = [];
const noAssistants: readonly AssistantWire[] = [];

function useFields(field: RefObject<HTMLTextAreaElement | null>) {
  const isFilling = useRef(false);
  const select = (backwards: boolean): boolean => {
    const element = field.current;
    if (!element || !isFilling.current) return false;
    const from = backwards ? element.selectionStart : element.selectionEnd;
    const place = nextField(element.value, from, { backwards });
    isFilling.current = place !== null;
    if (place) element.setSelectionRange(place.start, place.end);
    return place !== null;
  };
  const begin = (text: string) => {
    isFilling.current = true;
    // The text is in the field after the next render.
    requestAnimationFrame(() => {
      const place = nextField(text, 0);
      field.current?.focus();
      if (place) field.current?.setSelectionRange(place.start, place.end);
    });
  };
  return { select, begin };
}

function hasModifier({ altKey, ctrlKey, metaKey, shiftKey }: KeyboardEvent): boolean {
  return altKey || ctrlKey || metaKey || shiftKey;
}

/** Focusing would open an on-screen keyboard on touch devices. */
function useFirstFocus() {
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    // After a search hit, the letters n and N step through the hits.
    if (searchCursor.read() !== null) return;
    if (matchMedia("(pointer: fine)").matches) field.current?.focus();
  }, []);
  return field;
}

/** Keeps text typed before hydration. */
function useEarlyText(field: RefObject<HTMLTextAreaElement | null>, sessionId: string): void {
  useLayoutEffect(() => {
    const typed = field.current?.value ?? "";
    const kept = draftOf(sessionId).read();
    // On back navigation the browser may restore the whole draft itself.
    if (typed !== "" && typed !== kept) {
      writeDraft(sessionId, typed.startsWith(kept) ? typed : kept + typed);
    }
  }, [field, sessionId]);
}
