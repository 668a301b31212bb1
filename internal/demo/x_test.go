package demo
import ("testing";"time";"frontdesk.dev/frontdesk/internal/frontdesk")
func TestX(t *testing.T){
 badL,minL,maxL:=0,9999,0
 for d:=0; d<400; d++ {
  now:=noon.AddDate(0,0,d).Add(time.Duration(d*37%1440)*time.Minute)
  n,err:=Build(Seed,now); if err!=nil{t.Fatal(d,err)}
  minL=min(minL,len(n.Live)); maxL=max(maxL,len(n.Live))
  if len(n.Test)<150 {t.Log("test",len(n.Test))}
  checkVariety(t,n.Live); checkVariety(t,n.Test); checkPlanLasts(t,n,now)
  checkRecordings(t,n.Agents,n.Live,now); checkRecordings(t,n.Agents,n.Test,now)
  for k:=0;k<4;k++{ tn:=sampleTenant("Europe/Madrid"); tn.ID=frontdesk.IDFrom(now,[8]byte{byte(k)}); s,err:=Sample(tn,now); if err!=nil{t.Fatal(err)}; if len(s)<30||len(s)>60{t.Error(len(s))}; checkVariety(t,s); checkRecordings(t,nil,s,now)}
 }
 t.Log(badL,minL,maxL)
}
