#include <editline/readline.h>
// Swift may not touch another library's global variables.
static inline void larder_editline_begin(rl_completion_func_t *complete, int (*next_character)(FILE *)) {
  rl_readline_name = "larder";
  rl_attempted_completion_function = complete;
  rl_getc_function = next_character;
}
static inline void larder_editline_no_files(void) { rl_attempted_completion_over = 1; }
static inline void larder_editline_append(int character) { rl_completion_append_character = character; }
static inline const char *larder_editline_line(void) { return rl_line_buffer; }
