#ifndef PROTOCOL_H
#define PROTOCOL_H

#include <stddef.h>

enum command_kind { COMMAND_GET, COMMAND_SET, COMMAND_DEL };

enum parse_result {
    PARSE_OK,
    PARSE_EMPTY,
    PARSE_MISSING_KEY,
    PARSE_MISSING_LENGTH,
    PARSE_UNKNOWN_VERB,
};

struct command {
    enum command_kind kind;
    char *key;
    size_t value_len;
};

enum parse_result parse_command(char *line, struct command *command);
const char *parse_error(enum parse_result result);

#endif
