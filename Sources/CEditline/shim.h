#include <editline/readline.h>
// Swift may not touch another library's global variables.
static inline void larder_editline_begin(rl_completion_func_t *complete) {
  rl_readline_name = "larder";
  rl_attempted_completion_function = complete;
}
static inline void larder_editline_no_files(void) { rl_attempted_completion_over = 1; }
static inline const char *larder_editline_line(void) { return rl_line_buffer; }
