#!/bin/sh
# Answers git for the origin it was made for: git asks again, by name, when a server sends it to another host, and that
# host gets nothing. The prompts are git's own in the C locale: `Username for 'https://host': ` and
# `Password for 'https://user@host': `. It holds no secret: the values are in the environment of that one run of git.
case "$1" in
  "Username for '$YOKE_GIT_SCHEME://$YOKE_GIT_HOST'"*) printf '%s\n' "$YOKE_GIT_USERNAME" ;;
  "Username for '$YOKE_GIT_SCHEME://"*"@$YOKE_GIT_HOST'"*) printf '%s\n' "$YOKE_GIT_USERNAME" ;;
  "Password for '$YOKE_GIT_SCHEME://$YOKE_GIT_HOST'"*) printf '%s\n' "$YOKE_GIT_PASSWORD" ;;
  "Password for '$YOKE_GIT_SCHEME://"*"@$YOKE_GIT_HOST'"*) printf '%s\n' "$YOKE_GIT_PASSWORD" ;;
  *) exit 1 ;;
esac
