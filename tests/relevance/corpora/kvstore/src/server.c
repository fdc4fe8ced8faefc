#include "server.h"

#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "protocol.h"

#define MAX_CLIENTS 64

/* Binds a socket to a port of all addresses and listens. */
static int listen_on(int port)
{
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    int yes = 1;
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};
    if (bind(fd, (struct sockaddr *)&address, sizeof address) < 0 || listen(fd, 16) < 0) {
        perror("can't listen");
        return -1;
    }
    return fd;
}

/* Reads one line of a client and answers it. Returns -1 when the client has gone. */
static int serve_client(struct store *store, int fd)
{
    char line[1024];
    ssize_t n = read(fd, line, sizeof line - 1);
    if (n <= 0)
        return -1;
    line[n] = '\0';
    struct command command;
    enum parse_result result = parse_command(line, &command);
    if (result != PARSE_OK) {
        dprintf(fd, "%s\r\n", parse_error(result));
        return 0;
    }
    return store_execute(store, &command, fd);
}

/* Serves all clients in one thread, as poll says who has something to read. */
int server_run(struct store *store, int port)
{
    struct pollfd clients[MAX_CLIENTS + 1] = {{.fd = listen_on(port), .events = POLLIN}};
    nfds_t n = 1;
    while (poll(clients, n, -1) > 0 || errno == EINTR) {
        if ((clients[0].revents & POLLIN) && n <= MAX_CLIENTS)
            clients[n++] = (struct pollfd){.fd = accept(clients[0].fd, NULL, NULL), .events = POLLIN};
        for (nfds_t i = 1; i < n; i++) {
            if ((clients[i].revents & POLLIN) && serve_client(store, clients[i].fd) < 0) {
                close(clients[i].fd);
                clients[i--] = clients[--n];
            }
        }
    }
    return 1;
}
