import Foundation

/// Standard input, output and error of the process.
enum StandardStreams {
  /// Occupies each of them that is closed (`>&-`), so that no file is opened in its place.
  ///
  /// The next file that is opened gets the lowest free number; were that 1, results would be
  /// written into it. `/dev/null` is opened the wrong way round, so that using a closed stream
  /// fails as it would without this.
  static func occupyClosedDescriptors() {
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
      _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }
}
