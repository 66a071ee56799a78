/* Never ends: its call is stopped when its time is up. */
int main(void) {
  for (;;) {
  }
}
