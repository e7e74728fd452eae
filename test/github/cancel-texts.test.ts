import { expect, it } from "vitest";
import { cancelWords, knownCancelTexts } from "../../src/github/cancel-texts.js";

it.each(knownCancelTexts)("A16.5 reads $met", ({ met, says }) => {
  expect(cancelWords(["The operation was canceled.", met])).toBe(says);
});

it("A16.5 an annotation that is not known says nothing", () => {
  expect(cancelWords([])).toBeNull();
  expect(
    cancelWords(["The operation was canceled.", "Process completed with exit code 1."]),
  ).toBeNull();
});
