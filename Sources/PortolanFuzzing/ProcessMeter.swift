#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The resources that the process has used so far.
///
/// Processor time and not time on the clock, so that a busy machine makes no findings.
struct ProcessMeter {
  /// The processor time, in seconds.
  var processorTime: Double
  /// The most memory that was resident at once, in bytes.
  var peakMemory: Int

  static func now() -> ProcessMeter {
    var usage = rusage()
    _ = unsafe getrusage(numericCast(RUSAGE_SELF.rawValue), &usage)
    return ProcessMeter(
      processorTime: seconds(usage.ru_utime) + seconds(usage.ru_stime),
      peakMemory: usage.ru_maxrss << 10)
  }

  static func - (later: ProcessMeter, earlier: ProcessMeter) -> ProcessMeter {
    ProcessMeter(
      processorTime: later.processorTime - earlier.processorTime,
      peakMemory: later.peakMemory - earlier.peakMemory)
  }

  /// Ends the process by a signal after `seconds` on the clock, unless set again before; never for
  /// 0.
  static func setAlarm(seconds: UInt32) { _ = alarm(seconds) }

  private static func seconds(_ time: timeval) -> Double {
    Double(time.tv_sec) + Double(time.tv_usec) / 1e6
  }
}
