#include "protocol.h"

#include <stdlib.h>
#include <string.h>

/* Parses a request line such as "SET name 5" into a command. */
enum parse_result parse_command(char *line, struct command *command)
{
    char *saved = NULL;
    char *verb = strtok_r(line, " \r\n", &saved);
    if (!verb)
        return PARSE_EMPTY;
    command->key = strtok_r(NULL, " \r\n", &saved);
    if (!command->key)
        return PARSE_MISSING_KEY;
    if (strcmp(verb, "GET") == 0)
        command->kind = COMMAND_GET;
    else if (strcmp(verb, "DEL") == 0)
        command->kind = COMMAND_DEL;
    else if (strcmp(verb, "SET") == 0)
        command->kind = COMMAND_SET;
    else
        return PARSE_UNKNOWN_VERB;
    char *length = strtok_r(NULL, " \r\n", &saved);
    if (command->kind == COMMAND_SET && !length)
        return PARSE_MISSING_LENGTH;
    command->value_len = length ? strtoul(length, NULL, 10) : 0;
    return PARSE_OK;
}

const char *parse_error(enum parse_result result)
{
    switch (result) {
    case PARSE_MISSING_KEY:
        return "ERR the command needs a key";
    case PARSE_MISSING_LENGTH:
        return "ERR SET needs the length of the value";
    case PARSE_UNKNOWN_VERB:
        return "ERR unknown verb, expected GET, SET or DEL";
    default:
        return "ERR empty line";
    }
}
