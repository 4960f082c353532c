/// The phase of a child's work, as the child reports it; it is killed in the phase that it reported
/// last.
public enum CrashPhase: String, Sendable, CaseIterable, Codable {
  /// Opening the home and finishing what was interrupted.
  case recover
  /// Asking the portal.
  case ask
  /// Bytes are arriving.
  case download
  /// Opening what was received.
  case verify
  /// Moving files about and recording it.
  case store
  /// Looking for what is not as it should be.
  case audit
  /// Editing features.
  case edit
  /// Reading features, over and over.
  case read
  /// Stopping a job, or taking it off the list.
  case stop
  /// Packing or unpacking a map.
  case copy
  /// Nothing more to do.
  case done
}
