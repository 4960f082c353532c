internal import CSecretService

/// The files that a crash leaves of a process's memory.
public enum CoreFiles {
  /// Lets this process leave none, since its memory holds tokens and passwords.
  ///
  /// For programs, when they start; other processes of the same user cannot read its memory then.
  public static func forbid() { portolan_forbid_core_files() }
}
