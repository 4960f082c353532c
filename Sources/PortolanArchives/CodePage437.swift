/// The character set of the first IBM PC, the default of ZIP archives.
enum CodePage437 {
  /// The text of `bytes`; every byte means something.
  static func decode(_ bytes: UnsafeRawBufferPointer) -> String {
    var text = ""
    for index in bytes.indices {
      let byte = unsafe bytes[index]
      text.unicodeScalars.append(byte < 0x80 ? Unicode.Scalar(byte) : upperHalf[Int(byte - 0x80)])
    }
    return text
  }

  /// The characters of the bytes from 0x80 to 0xFF.
  private static let upperHalf = Array(
    ("ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐"
      + "└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{A0}").unicodeScalars)
}
