/// What a child is at, as it tells; the last one told is the one it is killed in.
public enum CrashPhase: String, Sendable, CaseIterable, Codable {
  /// Opening the home and finishing what was interrupted.
  case recover
  /// Asking the portal.
  case ask
  /// Bytes are arriving.
  case download
  /// Opening what has arrived.
  case verify
  /// Moving files about and recording it.
  case store
  /// Looking for what is not as it should be.
  case audit
  /// Nothing more to do.
  case done
}
