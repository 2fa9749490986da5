import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { changeProjectRequest } from "@/lib/chat/wire/projects";
import { DrawnIcon, drawings, iconName } from "./drawn-icon";

test("every icon is drawn, as is the emoji that earlier versions stored for it", () => {
  for (const [icon, { emoji }] of Object.entries(drawings)) {
    for (const stored of [icon, emoji]) {
      expect(changeProjectRequest.parse({ icon: stored })).toEqual({ icon: stored });
      expect(renderToStaticMarkup(<DrawnIcon icon={stored} />)).toContain(`lucide-${icon} `);
      expect(iconName(stored)).toBe(icon);
    }
  }
});

test("another emoji stays, and other words are refused", () => {
  expect(renderToStaticMarkup(<DrawnIcon icon="🦉" />)).toBe("🦉");
  expect(changeProjectRequest.safeParse({ icon: "🦉" }).success).toBe(true);
  expect(changeProjectRequest.safeParse({ icon: "owl" }).success).toBe(false);
});
