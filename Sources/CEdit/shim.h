#include <histedit.h>
#include <stdio.h>

// `el_set`, `el_get` and `history` are variadic, and `stdin` is a macro: Swift imports neither.

typedef unsigned char (*cedit_function)(EditLine *, int);
typedef char *(*cedit_prompt)(EditLine *);

static inline EditLine *cedit_open(const char *name) {
  return el_init(name, stdin, stdout, stderr);
}

static inline int cedit_set_client(EditLine *editor, void *client) {
  return el_set(editor, EL_CLIENTDATA, client);
}

static inline void *cedit_client(EditLine *editor) {
  void *client = NULL;
  return el_get(editor, EL_CLIENTDATA, &client) == 0 ? client : NULL;
}

static inline int cedit_set_prompt(EditLine *editor, cedit_prompt prompt) {
  return el_set(editor, EL_PROMPT, prompt);
}

static inline int cedit_set_mode(EditLine *editor, const char *mode) {
  return el_set(editor, EL_EDITOR, mode);
}

static inline int cedit_add(
    EditLine *editor, const char *name, const char *help, cedit_function function) {
  return el_set(editor, EL_ADDFN, name, help, function);
}

static inline int cedit_bind(EditLine *editor, const char *key, const char *name) {
  return el_set(editor, EL_BIND, key, name, NULL);
}

/// Changes a terminal setting for the time of editing, as `stty` spells it.
static inline int cedit_set_terminal(EditLine *editor, const char *setting) {
  return el_set(editor, EL_SETTY, "-d", setting, NULL);
}

/// Puts the terminal into the state for editing (1) or back (0).
static inline int cedit_prepare_terminal(EditLine *editor, int is_editing) {
  return el_set(editor, EL_PREP_TERM, is_editing);
}

static inline int cedit_set_history(EditLine *editor, History *lines) {
  return el_set(editor, EL_HIST, history, lines);
}

/// Lets `reader` fetch characters; it answers 1, or 0 at the end.
static inline int cedit_set_reader(EditLine *editor, el_rfunc_t reader) {
  return el_set(editor, EL_GETCFN, reader);
}

/// Redraws the prompt and the line, where the terminal's cursor is.
static inline int cedit_refresh(EditLine *editor) { return el_set(editor, EL_REFRESH); }

static inline void cedit_print(EditLine *editor, const char *text) {
  FILE *output = NULL;
  if (el_get(editor, EL_GETFP, 1, &output) == 0 && output != NULL) {
    fputs(text, output);
    fflush(output);
  }
}

static inline int cedit_history_number(History *lines, int operation, int number) {
  HistEvent event;
  return history(lines, &event, operation, number);
}

static inline int cedit_history_text(History *lines, int operation, const char *text) {
  HistEvent event;
  return history(lines, &event, operation, text);
}
