/** What an expression or oid stands for: a commit, a tree or a file. */
import { nodeId } from "../../../world/node-ids.js";
import type { Repository } from "../../../world/model.js";
import type { GraphqlContext } from "../context.js";
import { Plain } from "../fields.js";
import { commitSource } from "../sources.js";

/** Null when there is no such object. */
export async function gitObject(
  context: GraphqlContext,
  repository: Repository,
  expression: string,
): Promise<unknown> {
  const git = context.world.git(repository);
  if (!expression.includes(":")) {
    const oid = await context.git.resolve(repository, expression);
    if (oid !== null) return commitSource(repository, oid);
  }
  const { code, stdout } = await git.run(
    ["rev-parse", "--verify", "--quiet", "--end-of-options", expression],
    { ok: [0, 1, 128] },
  );
  if (code !== 0) return null;
  const oid = stdout.trim();
  const type = (await git.run(["cat-file", "-t", oid])).stdout.trim();
  const common = {
    oid,
    id: nodeId("C", repository.id, oid),
    abbreviatedOid: oid.slice(0, 7),
    repository: { __typename: "Repository", repository },
  };
  if (type !== "blob") return new Plain(common, type === "tree" ? "Tree" : "Tag");
  const content = (await git.run(["cat-file", "blob", oid])).stdout;
  const isBinary = content.includes("\0");
  return new Plain(
    {
      ...common,
      byteSize: Buffer.byteLength(content),
      isBinary,
      isTruncated: false,
      text: isBinary ? null : content,
    },
    "Blob",
  );
}
