internal import CCairo
internal import Foundation
internal import PortolanGeometry
package import PortolanImages
internal import PortolanMap

/// The surface that cairo draws on: pixels, or an SVG or PDF document.
///
/// Everything is given in pixels of the whole picture; a surface may hold only some of its rows.
/// It belongs to one task at a time.
@safe
package final class PictureSurface {
  let context: OpaquePointer
  /// The rows of the picture that the surface holds.
  let rows: Range<Int>
  let width: Int
  /// Whether shapes are kept as such, so that they stay sharp.
  let isVector: Bool
  /// Made when the first text is drawn, for most pictures have none; `nil` if there is not enough memory.
  private(set) lazy var typesetter = Typesetter()
  /// The box outside of which nothing changes; `nil` while cairo keeps to an area of another shape.
  private(set) var clip: PixelBox?
  /// Whether the picture is put beside others, so that a place must have the same pixels in all.
  let isSeamless: Bool
  /// Whether cairo turns or moves what is drawn.
  var isTurned = false
  let rasterizer = AreaRasterizer()
  /// Markers that were drawn already.
  var stamps = MarkerStamps()
  /// The pattern that was shrunk last, and what became of it.
  var shrunkPattern: (image: PixelImage, small: PixelImage)?
  private let surface: OpaquePointer
  private let sink: DocumentSink?

  /// Pixels, transparent at first, for some rows of a picture.
  package convenience init(
    width: Int, rows: Range<Int>, isSeamless: Bool = false
  ) throws(RenderingError) {
    let surface = unsafe cairo_image_surface_create(
      CAIRO_FORMAT_ARGB32, Int32(width), Int32(rows.count))
    try unsafe self.init(
      surface, width: width, rows: rows, sink: nil, isSeamless: isSeamless)
  }

  /// An SVG document.
  convenience init(svgWidth width: Int, height: Int) throws(RenderingError) {
    let sink = DocumentSink(isSVG: true)
    let surface = unsafe cairo_svg_surface_create_for_stream(
      { unsafe appendToDocument($0, $1, $2) }, Unmanaged.passUnretained(sink).toOpaque(),
      Double(width), Double(height))
    unsafe cairo_svg_surface_set_document_unit(surface, CAIRO_SVG_UNIT_PX)
    try unsafe self.init(
      surface, width: width, rows: 0..<height, sink: sink, isSeamless: false)
  }

  /// A PDF document of one page; `pointsPerPixel` are points of 1/72 inch.
  convenience init(
    pdfWidth width: Int, height: Int, pointsPerPixel: Double
  ) throws(RenderingError) {
    let sink = DocumentSink(isSVG: false)
    let surface = unsafe cairo_pdf_surface_create_for_stream(
      { unsafe appendToDocument($0, $1, $2) }, Unmanaged.passUnretained(sink).toOpaque(),
      Double(width) * pointsPerPixel, Double(height) * pointsPerPixel)
    // The same drawing gives the same document, whenever it is made.
    unsafe cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATE_DATE, nil)
    try unsafe self.init(
      surface, width: width, rows: 0..<height, sink: sink, isSeamless: false)
    unsafe cairo_scale(context, pointsPerPixel, pointsPerPixel)
  }

  private init(
    _ surface: OpaquePointer?, width: Int, rows: Range<Int>, sink: DocumentSink?,
    isSeamless: Bool
  ) throws(RenderingError) {
    guard let surface = unsafe surface,
      unsafe cairo_surface_status(surface) == CAIRO_STATUS_SUCCESS,
      let context = unsafe cairo_create(surface)
    else { throw .outOfMemory }
    unsafe self.surface = surface
    unsafe self.context = context
    self.width = width
    self.rows = rows
    self.sink = sink
    self.isSeamless = isSeamless
    isVector = sink != nil
    clip = PixelBox(columns: 0..<width, rows: rows)
    unsafe cairo_translate(context, 0, -Double(rows.lowerBound))
  }

  deinit {
    unsafe cairo_destroy(context)
    unsafe cairo_surface_destroy(surface)
  }

  /// The pixels drawn so far; `nil` for documents, and where cairo gave up.
  package func image() -> PixelImage? {
    guard unsafe cairo_status(context) == CAIRO_STATUS_SUCCESS else { return nil }
    return unsafe PixelImage(copying: surface)
  }

  /// Ends a document and gives it.
  func documentData() throws(RenderingError) -> Data {
    unsafe cairo_surface_finish(surface)
    let status = unsafe cairo_surface_status(surface)
    guard let sink, status == CAIRO_STATUS_SUCCESS else {
      throw .notEncoded(reason: unsafe String(cString: cairo_status_to_string(status)))
    }
    return sink.isSVG ? SVGNumbering.renumbered(sink.data) : sink.data
  }

  /// Draws, leaving out what falls on other rows.
  package func draw(_ commands: [DrawCommand]) {
    let height = Double(rows.lowerBound)...Double(rows.upperBound)
    // By number, so that steps that are left out are not copied.
    for index in commands.indices {
      // Markers come by the million: of them nothing else is looked at.
      if case .marker(let style, let point, let angle) = commands[index] {
        let isOutside =
          point.y + style.reach < height.lowerBound || point.y - style.reach > height.upperBound
        if !isOutside { put(style, at: point, angle: angle) }
        continue
      }
      if let reach = commands[index].rows, !reach.overlaps(height) { continue }
      draw(commands[index])
    }
  }

  private func draw(_ command: DrawCommand) {
    switch command {
    case .beginGroup: unsafe cairo_push_group(context)
    case .endGroup(let opacity, let mode): endGroup(opacity: opacity, mode: mode)
    case .fill(let path, let style): fill(path, style)
    case .stroke(let path, let style): stroke(path, style)
    case .image(let image, let placement): draw(image, placement)
    case .marker(let style, let point, let angle): put(style, at: point, angle: angle)
    case .text(let run): draw(run)
    case .letters(let text, let placed): draw(text, placed)
    case .clipped(let commands, let area): draw(commands, in: area)
    }
  }

  private func draw(_ commands: [DrawCommand], in area: PixelPath) {
    unsafe cairo_save(context)
    unsafe cairo_set_antialias(context, CAIRO_ANTIALIAS_NONE)
    trace(area)
    unsafe cairo_set_fill_rule(context, CAIRO_FILL_RULE_EVEN_ODD)
    unsafe cairo_clip(context)
    unsafe cairo_set_antialias(context, CAIRO_ANTIALIAS_DEFAULT)
    let outer = clip
    clip = outer.flatMap { outer in PixelBox(inside: area).map { $0.intersection(outer) } }
    draw(commands)
    clip = outer
    unsafe cairo_restore(context)
  }

  func setSource(_ color: RGBAColor) {
    unsafe cairo_set_source_rgba(
      context, Double(color.red) / 255, Double(color.green) / 255, Double(color.blue) / 255,
      Double(color.alpha) / 255)
  }
}

/// Collects what cairo writes, up to a limit.
private final class DocumentSink {
  private static let limit = 1 << 28
  let isSVG: Bool
  private(set) var data = Data()

  init(isSVG: Bool) { self.isSVG = isSVG }

  func append(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard data.count + bytes.count <= Self.limit else { return false }
    unsafe data.append(bytes)
    return true
  }
}

/// Takes what cairo has written of a document.
private func appendToDocument(
  _ sink: UnsafeMutableRawPointer?, _ bytes: UnsafePointer<UInt8>?, _ count: UInt32
) -> cairo_status_t {
  guard let sink = unsafe sink, let bytes = unsafe bytes else { return CAIRO_STATUS_WRITE_ERROR }
  let buffer = unsafe UnsafeBufferPointer(start: bytes, count: Int(count))
  let target = unsafe Unmanaged<DocumentSink>.fromOpaque(sink).takeUnretainedValue()
  return unsafe target.append(buffer) ? CAIRO_STATUS_SUCCESS : CAIRO_STATUS_WRITE_ERROR
}
