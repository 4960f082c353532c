#include <cairo/cairo.h>
#include <cairo/cairo-svg.h>
#include <cairo/cairo-pdf.h>
// Pango's own header brings cairo's once more, so both are one module: two would each have its types.
#include <pango/pangocairo.h>
