#ifndef C_NETLINK_H
#define C_NETLINK_H

// Nothing of the system's headers is included here: `linux/netlink.h` and `sys/socket.h` would become
// part of this module, and `sockaddr` would belong to it instead of to Glibc.

/// Opens a socket that becomes readable whenever a link, an address or a route changes.
///
/// -1 if there is none.
int cnetlink_open(void);

#endif
