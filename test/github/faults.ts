/** The fault that a call raised. */
import { type GitHubFault, GitHubError } from "../../src/github/port.js";

export async function faultOf(call: Promise<unknown>): Promise<GitHubFault> {
  const error = await errorOf(call);
  if (!(error instanceof GitHubError)) throw error;
  return error.fault;
}

export async function errorOf(call: Promise<unknown>): Promise<unknown> {
  try {
    await call;
  } catch (error) {
    return error;
  }
  throw new Error("the call was expected to fail");
}
