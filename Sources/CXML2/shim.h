#include <libxml/xmlversion.h>

// With this defined, the headers pull in the system's ICU, whose types clash with the copy that
// Foundation brings. Nothing declared below depends on it.
#undef LIBXML_ICU_ENABLED

#include <libxml/xmlerror.h>
#include <libxml/xmlreader.h>
