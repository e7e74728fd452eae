import { describe, expect, it } from "vitest";
import {
  isRepositoryOf,
  keptRead,
  keptUnread,
  type BranchToDelete,
  type BranchUse,
} from "../../../src/core/landing/remote-branch.js";

const oid = "a".repeat(40);
const project = {
  owner: "Acme",
  name: "shop",
  apiUrl: "https://api.github.com",
  gateBranch: "main",
};
const of: BranchToDelete = {
  project,
  branch: "lane/tea",
  oid,
  proved: true,
  urls: ["https://github.com/acme/shop.git"],
};
const use: BranchUse = { head: oid, baseOf: [], headOf: [] };

describe("what stands against deleting a branch, before GitHub is asked", () => {
  it.each<readonly [string, Partial<BranchToDelete>, boolean]>([
    ["nothing", {}, false],
    ["case A29 no proof of landing", { proved: false }, true],
    ["the gate branch", { branch: "main" }, true],
    ["case A30 a fork", { urls: ["https://github.com/robin/shop.git"] }, true],
    ["another repository", { urls: ["https://github.com/acme/shop-2.git"] }, true],
    ["another host", { urls: ["https://example.org/acme/shop.git"] }, true],
    ["a second place", { urls: [...of.urls, "https://github.com/robin/shop.git"] }, true],
    ["no place at all", { urls: [] }, true],
  ])("A16.6 %s", (_title, changes, kept) => {
    const answer = keptUnread({ ...of, ...changes });
    expect(answer === null).toBe(!kept);
    expect(answer?.deleted ?? false).toBe(false);
  });

  it.each([
    ["https://github.com/acme/shop", true],
    ["https://robin@github.com/acme/shop.git/", true],
    ["git@github.com:acme/shop.git", true],
    ["ssh://git@github.com:22/ACME/SHOP.git", true],
    ["ssh://git@ssh.github.com:443/acme/shop.git", true],
    ["git@github.com-acme:acme/shop.git", false],
    ["https://github.com/acme/shop/more", false],
    ["https://github.com/other/acme/shop", false],
    ["/srv/acme/shop.git", false],
    ["", false],
  ])("A16.6 case A30 %j is the project's repository: %s", (url, same) => {
    expect(isRepositoryOf(project, url)).toBe(same);
  });

  it("A16.6 an Enterprise Server is its own host, whatever its port", () => {
    const enterprise = { ...project, apiUrl: "https://ghe.example.org/api/v3" };
    expect(isRepositoryOf(enterprise, "https://ghe.example.org:8443/acme/shop.git")).toBe(true);
    expect(isRepositoryOf(enterprise, "https://github.com/acme/shop.git")).toBe(false);
  });
});

describe("what GitHub's reading says", () => {
  it.each<readonly [string, Partial<BranchUse>, "may go" | "gone" | "kept"]>([
    ["it is at the commit that landed", {}, "may go"],
    ["it is gone", { head: null }, "gone"],
    ["it moved", { head: "b".repeat(40) }, "kept"],
    ["case A23 an open pull request merges into it", { baseOf: [7] }, "kept"],
    ["case A43 an open pull request merges it elsewhere", { headOf: [8] }, "kept"],
    ["it is gone, and pull requests still name it", { head: null, baseOf: [7] }, "gone"],
  ])("A16.6 %s", (_title, changes, answer) => {
    const removal = keptRead(of, { ...use, ...changes });
    expect(removal === null ? "may go" : removal.deleted ? "gone" : "kept").toBe(answer);
  });

  it("A16.6 names the pull requests that need it", () => {
    expect(keptRead(of, { ...use, baseOf: [7], headOf: [8] })?.why).toContain("#7, #8");
  });
});
