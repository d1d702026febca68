"""Pictures of all orientations, of CMYK, alpha and 16 bits: pipeline-run reads them as Pillow does."""
import numpy as np, subprocess, os, tempfile
from PIL import Image, ImageOps
os.chdir(tempfile.mkdtemp())
def run(f,h,w):
    t=f"tensor<3x{h}x{w}xi8>"
    open("g.mlir","w").write(f'''func.func @f(%img: {t} {{weft.name="img", weft.unsigned}}) -> ({t} {{weft.name="o", weft.unsigned}}) {{
  %o = pipeline.stage "o" (%c, %y, %x) {{
    %a = pipeline.load %img[%c, %y, %x] : {t}
    pipeline.yield %a : i8
  }} : {t}
  return %o : {t}
}}''')
    r=subprocess.run(["pipeline-run","g.mlir","--arg","img="+f,"--out","o=o.npy"],capture_output=True,text=True,timeout=20)
    return (np.load("o.npy").transpose(1,2,0).astype(int) if r.returncode==0 else None), r.stderr.strip()
def check(f,want):
    want=np.asarray(want.convert("RGB")).astype(int); got,e=run(f,*want.shape[:2])
    assert got is not None, e
    # JPEG decoders may round differently.
    assert abs(got-want).max() <= (3 if f.endswith("jpg") else 0), f
    print(e, flush=True)
a=np.random.default_rng(1).integers(0,256,(5,7,3),dtype=np.uint8)
for n in range(1,9):
    for ext in ("png","jpg"):
        ex=Image.Exif(); ex[0x112]=n
        f=f"o{n}.{ext}"; Image.fromarray(a).save(f,exif=ex,**({"subsampling":0} if ext=="jpg" else {}))
        check(f,ImageOps.exif_transpose(Image.open(f)))
sm=np.clip(np.add.outer(np.arange(16)*5,np.arange(16)*6),0,255).astype(np.uint8)
c=np.stack([sm,sm.T,255-sm,sm//3],-1)
Image.fromarray(c,"CMYK").save("c.jpg",quality=95); check("c.jpg",Image.open("c.jpg"))
Image.fromarray(c,"RGBA").save("a.png"); check("a.png",Image.fromarray(c[...,:3].copy()))
Image.fromarray(np.arange(256,dtype=np.uint16).reshape(16,16)*257).save("d.png"); check("d.png",Image.fromarray(np.arange(256,dtype=np.uint8).reshape(16,16)))
