/* Being linked in says that the executable is a server (main.c). */
extern const char futc_link_server;
const char futc_link_server = 1;
