/** Refusals about what yoke keeps: projects, items, lanes, claims, sessions, notices. */
import { EXIT, type RefusalKind } from "./kind.js";

export const recordKinds = {
  project_missing: {
    exit: EXIT.usage,
    when: "No project was named and none could be told from the item or the folder.",
    next: "Name one with `--project PREFIX`, or add it with `yoke project add`.",
  },
  project_unknown: {
    exit: EXIT.refused,
    when: "No project has this key.",
    next: "List the projects with `yoke project list`, or add it with `yoke project add`.",
  },
  project_not_frozen: {
    exit: EXIT.refused,
    when: "The project is not frozen, so there is no freeze to end.",
    next: "See how it stands with `yoke status --project {project}`.",
  },
  project_exists: {
    exit: EXIT.refused,
    when: "A project with this key, or for this repository and gate branch, exists already.",
    next: "See it with `yoke project list`, or choose another key.",
  },
  item_unknown: {
    exit: EXIT.refused,
    when: "The item is not in this project.",
    next: "List the items with `yoke items list`, or add it with `yoke items add`.",
  },
  item_already_landed: {
    exit: EXIT.refused,
    when: "The item has landed, so what was asked of it is no longer possible.",
    next: "See the landing with `yoke explain {item}`, or add a new item with `yoke items add`.",
  },
  section_unknown: {
    exit: EXIT.refused,
    when: "The item has no section of this name.",
    next: "Name one of the sections listed in the message.",
  },
  lane_unknown: {
    exit: EXIT.refused,
    when: "The item has no active lane on this host, or none on the branch that was named.",
    next: "Register the worktree with `yoke lanes register {item}` from inside it, or name a lane with `--lane BRANCH`.",
  },
  lane_gone: {
    exit: EXIT.refused,
    when: "The folder of the item's lane is gone, and what was asked needs it. A landing that is under way or closed out is answered all the same.",
    next: "Put the worktree back with `git -C {repository} worktree prune` and `git -C {repository} worktree add {path} {branch}`, then enter the command again.",
  },
  lane_ambiguous: {
    exit: EXIT.usage,
    when: "The item has several active lanes and nothing says which one is meant; the lanes are listed.",
    next: "Name one with `--lane BRANCH`.",
  },
  lane_exists: {
    exit: EXIT.refused,
    when: "The branch or the worktree is already the lane of an item.",
    next: "See the lanes with `yoke lanes list`, and use another branch and worktree.",
  },
  lane_not_a_worktree: {
    exit: EXIT.usage,
    when: "The path is not a git worktree.",
    next: "Run the command inside the lane, or name its folder.",
  },
  lane_host_unreachable: {
    exit: EXIT.failed,
    when: "The lane is on a host whose task queue no worker polls, so its git work cannot be done.",
    next: "Start `yoke worker` on host `{host}`, then run `yoke merge item {item}`.",
  },
  claim_held: {
    exit: EXIT.refused,
    when: "Another session holds the item.",
    next: "Ask that session to release it, or have the steering seat restaff it with `yoke claim {item} --take-over`.",
  },
  claim_missing: {
    exit: EXIT.refused,
    when: "The session does not hold the item.",
    next: "Claim it with `yoke claim {item}`, then try again.",
  },
  session_unknown: {
    exit: EXIT.refused,
    when: "No session has this id, or it has ended.",
    next: "Register one with `yoke sessions register`, or list them with `yoke sessions list`.",
  },
  session_missing: {
    exit: EXIT.usage,
    when: "The command acts for a session and none was named.",
    next: "Set `YOKE_SESSION`, or register one with `yoke sessions register`.",
  },
  steering_seat_taken: {
    exit: EXIT.refused,
    when: "Another active session has the project's steering seat.",
    next: "End that session with `yoke sessions end {holder}`, or register this one without the seat.",
  },
  notice_unknown: {
    exit: EXIT.refused,
    when: "No notice has this id.",
    next: "List the notices with `yoke notices list`.",
  },
} as const satisfies Record<string, RefusalKind>;
