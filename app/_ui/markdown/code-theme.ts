import type { ThemeRegistration } from "shiki/types";

/** TextMate scopes by the role of their colour. The more specific of two that fit counts. */
const roles: Readonly<Record<string, readonly string[]>> = {
  "--faint": ["comment", "punctuation.definition.comment", "meta.diff.header"],
  "--code-keyword": [
    ...["keyword", "storage", "variable.language", "punctuation.section.embedded"],
    ...["punctuation.definition.template-expression", "keyword.control.at-rule"],
  ],
  "--code-string": [
    ...["string", "markup.inline.raw", "markup.underline.link", "constant.other.reference.link"],
    ...["constant.character", "punctuation.definition.string", "string.regexp"],
  ],
  "--code-number": [
    ...["constant", "support.constant", "variable.other.constant", "variable.other.enummember"],
    ...["support.type.property-name.css", "meta.property-name", "meta.diff.range"],
  ],
  "--code-function": ["entity.name.function", "support.function", "entity.name.section"],
  "--code-type": [
    ...[
      "entity.name.type",
      "entity.name.class",
      "entity.name.namespace",
      "entity.other.inherited-class",
    ],
    ...["support.type", "support.class", "storage.type.java", "entity.other.attribute-name"],
  ],
  "--code-tag": [
    ...["entity.name.tag", "support.class.component", "support.type.property-name"],
    ...["markup.heading", "markup.quote", "variable.other.property.toml"],
  ],
  "--accent": ["markup.inserted"],
  "--danger": ["markup.deleted", "invalid"],
  // Ink resets scopes inside one of the above that are no part of it.
  "--ink": [
    ...["keyword.operator.type.annotation", "meta.embedded.expression", "meta.template.expression"],
    ...["string meta.embedded", "storage.modifier.import", "storage.modifier.package"],
    ...["punctuation.separator", "punctuation.terminator", "meta.brace"],
  ],
};

const styles = [
  { scope: ["markup.bold", "markup.heading"], fontStyle: "bold" },
  { scope: ["markup.italic"], fontStyle: "italic" },
];

/** The colours are variables of the page's theme, so a new theme highlights nothing again. */
export const codeTheme: ThemeRegistration = {
  name: "grove",
  type: "light",
  fg: "var(--ink)",
  bg: "var(--raised)",
  settings: [
    ...Object.entries(roles).map(([role, scope]) => ({
      scope: [...scope],
      settings: { foreground: `var(${role})` },
    })),
    ...styles.map(({ scope, fontStyle }) => ({ scope, settings: { fontStyle } })),
  ],
};
